#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use std::path::PathBuf;

/// SQLite's numbers of its levels.
const NORMAL: i64 = 1;
const FULL: i64 = 2;

/// A writer with a file of its own, which goes with it.
struct Rig {
    writer: Arc<Writer>,
    directory: PathBuf,
}

impl Rig {
    async fn new(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("doorward-turn-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let options = SqliteConnectOptions::new().filename(directory.join("file")).create_if_missing(true);
        let writer = Writer::open(options.journal_mode(SqliteJournalMode::Wal)).await.unwrap();
        let rig = Self { writer, directory };
        let mut turn = rig.turn(Work::Single).await;
        sqlx::query("CREATE TABLE notes (note TEXT)").execute(turn.connection().unwrap()).await.unwrap();
        turn.commit().await.unwrap();
        rig
    }

    async fn turn(&self, work: Work) -> Turn {
        Turn::begin(&self.writer, work).await.unwrap()
    }

    async fn notes(&self) -> Vec<String> {
        let mut turn = self.turn(Work::Several).await;
        sqlx::query_scalar("SELECT note FROM notes").fetch_all(turn.connection().unwrap()).await.unwrap()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

async fn level(turn: &mut Turn) -> i64 {
    sqlx::query_scalar("PRAGMA synchronous").fetch_one(turn.connection().unwrap()).await.unwrap()
}

async fn note(turn: &mut Turn, text: &str) {
    sqlx::query("INSERT INTO notes VALUES ($1)").bind(text).execute(turn.connection().unwrap()).await.unwrap();
}

#[tokio::test]
async fn only_a_lease_is_committed_without_a_sync_however_they_alternate() {
    let rig = Rig::new("alternate").await;
    for (work, expected) in [
        (Work::Lease, NORMAL),
        (Work::Several, FULL),
        (Work::Lease, NORMAL),
        (Work::Lease, NORMAL),
        (Work::Single, FULL),
        (Work::Single, FULL),
    ] {
        let mut turn = rig.turn(work).await;
        assert_eq!(level(&mut turn).await, expected);
        note(&mut turn, "one").await;
        turn.commit().await.unwrap();
    }
    assert_eq!(rig.notes().await.len(), 6);
}

/// Two transactions of which the second waits while the first one works; gives the level of the second.
async fn second_level(rig: &Rig, first: Work, second: Work) -> i64 {
    let mut turn = rig.turn(first).await;
    note(&mut turn, "first").await;
    let writer = rig.writer.clone();
    let waiting = tokio::spawn(async move {
        let mut turn = Turn::begin(&writer, second).await.unwrap();
        let level = level(&mut turn).await;
        note(&mut turn, "second").await;
        turn.commit().await.unwrap();
        level
    });
    // On one thread: it runs until it waits for the connection, where it stands before the committer.
    tokio::task::yield_now().await;
    turn.commit().await.unwrap();
    waiting.await.unwrap()
}

#[tokio::test]
async fn what_must_survive_a_loss_of_power_never_joins_a_group_that_may_not() {
    let rig = Rig::new("join").await;
    assert_eq!(second_level(&rig, Work::Lease, Work::Several).await, FULL);
    assert_eq!(second_level(&rig, Work::Lease, Work::Single).await, FULL);
    // A lease needs no commit of its own beside others.
    assert_eq!(second_level(&rig, Work::Several, Work::Lease).await, FULL);
    assert_eq!(second_level(&rig, Work::Lease, Work::Lease).await, NORMAL);
    assert_eq!(rig.notes().await.len(), 8);
}

#[tokio::test]
async fn a_transaction_that_is_given_up_while_it_has_a_lease_committed_takes_nothing_with_it() {
    let rig = Rig::new("given-up").await;
    let mut lease = rig.turn(Work::Lease).await;
    note(&mut lease, "lease").await;
    let writer = rig.writer.clone();
    let waiting = tokio::spawn(async move { Turn::begin(&writer, Work::Several).await.map(drop) });
    tokio::task::yield_now().await;
    let committed = tokio::spawn(lease.commit());
    // Its ticket is left and the connection handed over; whoever waited for it goes away wherever it is.
    tokio::task::yield_now().await;
    waiting.abort();
    let _ = waiting.await;
    committed.await.unwrap().unwrap();
    assert_eq!(rig.notes().await, ["lease"]);
}
