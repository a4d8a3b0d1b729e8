#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};
use std::path::PathBuf;

/// SQLite's values of `PRAGMA synchronous`.
const NORMAL: i64 = 1;
const FULL: i64 = 2;

/// A writer on its own file, removed on drop.
struct TestWriter {
    writer: Arc<Writer>,
    directory: PathBuf,
}

impl TestWriter {
    async fn new(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("doorward-write-tx-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let options = SqliteConnectOptions::new().filename(directory.join("file")).create_if_missing(true);
        let writer = Writer::open(options.journal_mode(SqliteJournalMode::Wal)).await.unwrap();
        let test = Self { writer, directory };
        let mut write_tx = test.begin(WriteMode::Autocommit).await;
        sqlx::query("CREATE TABLE notes (note TEXT)").execute(write_tx.connection().unwrap()).await.unwrap();
        write_tx.commit().await.unwrap();
        test
    }

    async fn begin(&self, mode: WriteMode) -> WriteTx {
        WriteTx::begin(&self.writer, mode).await.unwrap()
    }

    async fn notes(&self) -> Vec<String> {
        let mut write_tx = self.begin(WriteMode::Several).await;
        sqlx::query_scalar("SELECT note FROM notes").fetch_all(write_tx.connection().unwrap()).await.unwrap()
    }
}

impl Drop for TestWriter {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

async fn level(write_tx: &mut WriteTx) -> i64 {
    sqlx::query_scalar("PRAGMA synchronous").fetch_one(write_tx.connection().unwrap()).await.unwrap()
}

async fn insert(write_tx: &mut WriteTx, text: &str) {
    sqlx::query("INSERT INTO notes VALUES ($1)").bind(text).execute(write_tx.connection().unwrap()).await.unwrap();
}

#[tokio::test]
async fn only_leases_commit_without_sync() {
    let test = TestWriter::new("alternate").await;
    for (mode, expected) in [
        (WriteMode::Lease, NORMAL),
        (WriteMode::Several, FULL),
        (WriteMode::Lease, NORMAL),
        (WriteMode::Lease, NORMAL),
        (WriteMode::Autocommit, FULL),
        (WriteMode::Autocommit, FULL),
    ] {
        let mut write_tx = test.begin(mode).await;
        assert_eq!(level(&mut write_tx).await, expected);
        insert(&mut write_tx, "one").await;
        write_tx.commit().await.unwrap();
    }
    assert_eq!(test.notes().await.len(), 6);
}

/// Runs two transactions, of which the second waits while the first one runs; returns the level of the second.
async fn second_level(test: &TestWriter, first: WriteMode, second: WriteMode) -> i64 {
    let mut write_tx = test.begin(first).await;
    insert(&mut write_tx, "first").await;
    let writer = test.writer.clone();
    let waiting = tokio::spawn(async move {
        let mut write_tx = WriteTx::begin(&writer, second).await.unwrap();
        let level = level(&mut write_tx).await;
        insert(&mut write_tx, "second").await;
        write_tx.commit().await.unwrap();
        level
    });
    // On one thread: it runs until it waits for the connection, ahead of the committer.
    tokio::task::yield_now().await;
    write_tx.commit().await.unwrap();
    waiting.await.unwrap()
}

#[tokio::test]
async fn durable_write_never_joins_unsynced_group() {
    let test = TestWriter::new("join").await;
    assert_eq!(second_level(&test, WriteMode::Lease, WriteMode::Several).await, FULL);
    assert_eq!(second_level(&test, WriteMode::Lease, WriteMode::Autocommit).await, FULL);
    // A lease joins a durable group.
    assert_eq!(second_level(&test, WriteMode::Several, WriteMode::Lease).await, FULL);
    assert_eq!(second_level(&test, WriteMode::Lease, WriteMode::Lease).await, NORMAL);
    assert_eq!(test.notes().await.len(), 8);
}

#[tokio::test]
async fn aborted_waiter_does_not_undo_committing_lease() {
    let test = TestWriter::new("given-up").await;
    let mut lease = test.begin(WriteMode::Lease).await;
    insert(&mut lease, "lease").await;
    let writer = test.writer.clone();
    let waiting = tokio::spawn(async move { WriteTx::begin(&writer, WriteMode::Several).await.map(drop) });
    tokio::task::yield_now().await;
    let committed = tokio::spawn(lease.commit());
    // The lease has joined the commit group and released the connection; the waiting task is aborted wherever it is.
    tokio::task::yield_now().await;
    waiting.abort();
    let _ = waiting.await;
    committed.await.unwrap().unwrap();
    assert_eq!(test.notes().await, ["lease"]);
}
