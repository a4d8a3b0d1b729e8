//! An outbox with a receiver, and worker pools on it.

use crate::harness::{Engine, Received, Receiver, TempDir, TestDatabase, begin, eventually, push_event};
use doorward::clock::Clock;
use doorward::delivery::{Workers, metrics_of};
use doorward::metrics::Metrics;
use doorward::model::event::EventKinds;
use doorward::model::ids::UserId;
use doorward::random;
use doorward::settings::{Environment, ServiceName, Settings};
use doorward::store::{Channel, Store};
use std::collections::HashSet;
use std::time::Duration;

pub const SECRET: &str = "a secret of the operator's";

/// An empty outbox, its receiver, and a clock that the test moves.
pub struct Outbox {
    pub clock: Clock,
    pub store: Store,
    pub receiver: Receiver,
    pub database: TestDatabase,
    _folder: TempDir,
}

impl Outbox {
    pub async fn new(engine: Engine) -> Self {
        let folder = TempDir::new("outbox");
        let database = TestDatabase::migrated(engine, folder.path()).await;
        Self::with_database(database, folder).await
    }

    /// An empty outbox on a PostgreSQL server that the test may stop.
    pub async fn on_own_server() -> Self {
        Self::with_database(TestDatabase::on_own_server().await, TempDir::new("outbox")).await
    }

    async fn with_database(database: TestDatabase, folder: TempDir) -> Self {
        let clock = Clock::system();
        let store = open(database.url(), &clock).await;
        Self { clock, store, receiver: Receiver::start().await, database, _folder: folder }
    }

    /// Opens the database a second time, like another process.
    pub async fn other_store(&self) -> Store {
        open(self.database.url(), &self.clock).await
    }

    /// Records events, each in its own transaction.
    pub async fn push(&self, count: usize) {
        for _ in 0..count {
            push(&self.store).await;
        }
    }

    /// Starts a pool that delivers to the receiver, by default with one worker.
    pub fn work(&self, variables: &[(&str, &str)]) -> Workers {
        self.work_on(&self.store, &self.receiver.url(), variables)
    }

    /// Starts a pool on a store that delivers to a URL.
    pub fn work_on(&self, store: &Store, url: &str, variables: &[(&str, &str)]) -> Workers {
        let settings = settings(self.database.url(), url, variables);
        let metrics = metrics_of(&Metrics::new().unwrap(), Channel::Webhook).unwrap();
        Workers::start(store, &settings.name, settings.webhooks.unwrap(), metrics).unwrap()
    }

    /// Fails unless `count` events were received, each once.
    pub fn expect_each_once(&self, count: usize) {
        let received = self.receiver.received();
        let ids: HashSet<&str> = received.iter().map(Received::id).collect();
        assert_eq!((ids.len(), received.len()), (count, count));
    }

    pub async fn count(&self, state: &str) -> i64 {
        self.database.count(&format!("SELECT count(*) FROM outbox WHERE state = '{state}'")).await
    }

    /// The number of rows of a table that fulfil a condition.
    pub async fn count_where(&self, table: &str, condition: &str) -> i64 {
        self.database.count(&format!("SELECT count(*) FROM {table} WHERE {condition}")).await
    }

    /// Waits until `count` events are in a state.
    pub async fn wait_for(&self, count: i64, state: &str) {
        let check = async || (self.count(state).await == count).then_some(());
        eventually(&format!("{count} events are {state}"), check).await;
    }

    /// Waits until `count` rows of a table fulfil a condition.
    pub async fn wait_where(&self, count: i64, table: &str, condition: &str) {
        wait_where(&self.database, count, table, condition).await;
    }
}

/// Waits until the workers have made a complete poll after this call.
pub async fn wait_for_poll(workers: &Workers) {
    let polls = || workers.metrics().polls.get();
    // The poll that finishes next may have started before this call.
    let target = polls() + 2;
    eventually("the workers poll the outbox", async || (polls() >= target).then_some(())).await;
}

/// Waits until a reaper on this database has run twice after this call. It runs often if
/// `WEBHOOK_STALE_REAPER_INTERVAL` is short.
pub async fn wait_for_reaper(database: &TestDatabase) {
    for _ in 0..2 {
        let ended = format!("SELECT count(*) FROM outbox WHERE state = 'failed' AND attempts = {EXHAUSTED_ATTEMPTS}");
        let before = database.count(&ended).await;
        insert_expired_claim(database).await;
        eventually("a reaper runs", async || (database.count(&ended).await > before).then_some(())).await;
    }
}

/// More attempts than any test allows.
const EXHAUSTED_ATTEMPTS: i64 = 1000;

/// Inserts a claim that expired long ago, during the last attempt allowed: a reaper ends it, and nothing is sent.
pub async fn insert_expired_claim(database: &TestDatabase) {
    insert_claim(database, EXHAUSTED_ATTEMPTS).await;
}

/// Inserts a claim that expired long ago, during its only attempt: a reaper takes it back.
pub async fn insert_interrupted_claim(database: &TestDatabase) {
    insert_claim(database, 1).await;
}

async fn insert_claim(database: &TestDatabase, attempts: i64) {
    let columns = "INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, \
        due_at, leased_at, created_at) SELECT";
    let sql = if database.url().starts_with("sqlite:") {
        format!(
            "{columns} randomblob(16), 'webhook', 'user.created', CAST('{{}}' AS BLOB), 'processing', \
             {attempts}, 1, 1, 0, 0, 0, 0"
        )
    } else {
        format!(
            "{columns} gen_random_uuid(), 'webhook', 'user.created', '{{}}', 'processing', {attempts}, 1, \
             TRUE, FALSE, 'epoch'::timestamptz, 'epoch'::timestamptz, 'epoch'::timestamptz"
        )
    };
    database.execute(&sql).await;
}

pub async fn seed(database: &TestDatabase, count: usize) {
    let columns = "INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, \
        due_at, created_at)";
    let sql = if database.url().starts_with("sqlite:") {
        let now = "CAST(unixepoch('subsec') * 1000000 AS INTEGER)";
        format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count}) {columns} SELECT \
             randomblob(16), 'webhook', 'user.created', CAST('{{}}' AS BLOB), 'pending', 0, 0, 0, 0, {now}, {now} \
             FROM n"
        )
    } else {
        format!(
            "{columns} SELECT gen_random_uuid(), 'webhook', 'user.created', '{{}}', 'pending', 0, 0, FALSE, FALSE, \
             now(), now() FROM generate_series(1, {count})"
        )
    };
    database.execute(&sql).await;
}

/// Opens a database with all kinds of events enabled.
pub async fn open(url: &str, clock: &Clock) -> Store {
    let settings = settings(url, "http://127.0.0.1:9/", &[]);
    Store::open(&settings.database, clock.clone(), EventKinds::ALL).await.unwrap()
}

/// Waits until `count` rows of a table fulfil a condition.
pub async fn wait_where(database: &TestDatabase, count: i64, table: &str, condition: &str) {
    let sql = format!("SELECT count(*) FROM {table} WHERE {condition}");
    let check = async || (database.count(&sql).await == count).then_some(());
    eventually(&format!("{count} of {table} where {condition}"), check).await;
}

pub async fn push(store: &Store) {
    let mut tx = begin(store).await;
    push_event(&mut tx, UserId(random::uuid_v4().unwrap())).await;
    tx.commit().await.unwrap();
}

pub const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn settings(database: &str, url: &str, variables: &[(&str, &str)]) -> Settings {
    let name = ServiceName::parse("svc").unwrap();
    let defaults = [
        ("DATABASE_URL", database),
        ("SECRET_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        ("WEBHOOK_URL", url),
        ("WEBHOOK_SECRET", SECRET),
        ("WEBHOOK_WORKER_COUNT", "1"),
    ];
    let all = defaults.iter().chain(variables);
    let environment: Environment = all.map(|(key, value)| (name.variable(key), (*value).to_owned())).collect();
    Settings::load(&name, &environment).unwrap().settings
}
