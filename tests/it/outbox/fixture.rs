//! An outbox with a receiver, and worker pools on it.

use crate::harness::{Engine, Receiver, TempDir, TestDatabase, eventually};
use doorward::clock::Clock;
use doorward::domain::events::{Event, EventKinds};
use doorward::domain::ids::UserId;
use doorward::outbox::Workers;
use doorward::random;
use doorward::settings::{Environment, ServiceName, Settings};
use doorward::store::Store;
use std::time::Duration;

pub const SECRET: &str = "a secret of the operator's";

/// An empty outbox, its receiver, and a clock that the story moves.
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
        let clock = Clock::system();
        let store = Self::open(&database, &clock).await;
        Self { clock, store, receiver: Receiver::start().await, database, _folder: folder }
    }

    async fn open(database: &TestDatabase, clock: &Clock) -> Store {
        let settings = settings(database.url(), "http://127.0.0.1:9/", &[]);
        Store::open(&settings.database, clock.clone(), EventKinds::ALL).await.unwrap()
    }

    /// The same database as another process sees it.
    pub async fn other_store(&self) -> Store {
        Self::open(&self.database, &self.clock).await
    }

    /// Records events, each in a transaction of its own.
    pub async fn push(&self, count: usize) {
        for _ in 0..count {
            push(&self.store).await;
        }
    }

    /// Delivers to the receiver, with one worker unless the variables say otherwise.
    pub fn work(&self, variables: &[(&str, &str)]) -> Workers {
        self.work_on(&self.store, &self.receiver.url(), variables)
    }

    /// Delivers from a store to an address.
    pub fn work_on(&self, store: &Store, url: &str, variables: &[(&str, &str)]) -> Workers {
        let settings = settings(self.database.url(), url, variables);
        Workers::start(store.clone(), &settings.name, settings.webhooks.unwrap()).unwrap()
    }

    /// How many events are in this state.
    pub async fn count(&self, state: &str) -> i64 {
        self.database.count(&format!("SELECT count(*) FROM outbox WHERE state = '{state}'")).await
    }

    /// How many events, or attempts of them, are of this kind.
    pub async fn count_where(&self, table: &str, condition: &str) -> i64 {
        self.database.count(&format!("SELECT count(*) FROM {table} WHERE {condition}")).await
    }

    /// Waits until so many events are in this state.
    pub async fn wait_for(&self, count: i64, state: &str) {
        let check = async || (self.count(state).await == count).then_some(());
        eventually(&format!("{count} events are {state}"), check).await;
    }

    /// Waits until so many rows of a table fulfil a condition.
    pub async fn wait_where(&self, count: i64, table: &str, condition: &str) {
        let check = async || (self.count_where(table, condition).await == count).then_some(());
        eventually(&format!("{count} of {table} where {condition}"), check).await;
    }
}

pub async fn push(store: &Store) {
    let mut tx = store.begin().await.unwrap();
    tx.outbox_push(&Event::UserCreated { user_id: UserId(random::uuid_v4().unwrap()) }).await.unwrap();
    tx.commit().await.unwrap();
}

pub const fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn settings(database: &str, url: &str, variables: &[(&str, &str)]) -> Settings {
    let name = ServiceName::parse("svc").unwrap();
    let standard = [
        ("DATABASE_URL", database),
        ("SECRET_KEY", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="),
        ("WEBHOOK_URL", url),
        ("WEBHOOK_SECRET", SECRET),
        ("WEBHOOK_WORKER_COUNT", "1"),
    ];
    let all = standard.iter().chain(variables);
    let environment: Environment = all.map(|(key, value)| (name.variable(key), (*value).to_owned())).collect();
    Settings::load(&name, &environment).unwrap().settings
}
