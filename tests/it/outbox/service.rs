//! A service of real processes, with an outbox that the story fills and a receiver.

use super::fixture::{open, push, wait_where};
use crate::harness::{Builder, Engine, Process, Receiver, TestDatabase};
use doorward::clock::Clock;
use doorward::store::Store;
use std::collections::{BTreeMap, HashMap};

/// What the processes of one service share.
pub struct Service {
    pub receiver: Receiver,
    pub store: Store,
    builder: Builder,
}

impl Service {
    /// Nothing runs yet. A claim is stale after four seconds, and is then found at once: on a busy
    /// machine a second is soon over, and what is then repeated is no fault.
    pub async fn new(engine: Engine, variables: &[(&str, &str)]) -> Self {
        let receiver = Receiver::start().await;
        let standard = [
            ("SVC_WEBHOOK_TIMEOUT", "3s"),
            ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "4s"),
            ("SVC_WEBHOOK_STALE_REAPER_INTERVAL", "100ms"),
            ("SVC_WEBHOOK_RETRY_DELAYS", "100ms"),
        ];
        let mut builder = engine.prepare().await.webhooks(&receiver);
        for (name, value) in standard.iter().chain(variables) {
            builder = builder.set(name, *value);
        }
        let store = open(builder.database().url(), &Clock::system()).await;
        Self { receiver, store, builder }
    }

    /// Records events, each in a transaction of its own.
    pub async fn push(&self, count: usize) {
        for _ in 0..count {
            push(&self.store).await;
        }
    }

    pub fn database(&self) -> &TestDatabase {
        self.builder.database()
    }

    pub fn variables(&self) -> &BTreeMap<String, String> {
        self.builder.variables()
    }

    /// Signs somebody new up, with the status of the answer.
    pub async fn sign_up(&self, number: usize) -> u16 {
        self.builder.anonymous().sign_up(&format!("user{number}@example.com")).await.status
    }

    /// Starts a process.
    pub async fn start(&self) -> Process {
        Process::start(self.variables()).await
    }

    /// Starts another process beside the first, with some variables of its own.
    pub async fn start_beside(&self, changes: &[(&str, &str)]) -> Process {
        let mut variables = self.builder.on_another_port();
        variables.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        Process::start(&variables).await
    }

    /// Waits until so many events are in this state.
    pub async fn wait_for(&self, count: i64, state: &str) {
        self.wait_where(count, &format!("state = '{state}'")).await;
    }

    /// Waits until so many events fulfil a condition.
    pub async fn wait_where(&self, count: i64, condition: &str) {
        wait_where(self.database(), count, "outbox", condition).await;
    }

    /// How many events fulfil a condition.
    pub async fn count(&self, condition: &str) -> i64 {
        self.database().count(&format!("SELECT count(*) FROM outbox WHERE {condition}")).await
    }

    /// How often each event came; fails if one came with other bytes than before.
    pub fn times_received(&self) -> HashMap<String, usize> {
        let mut bodies: HashMap<String, Vec<Vec<u8>>> = HashMap::new();
        for request in self.receiver.received() {
            bodies.entry(request.id().to_owned()).or_default().push(request.body);
        }
        assert!(bodies.values().all(|all| all.iter().all(|body| *body == all[0])), "an event has changed");
        bodies.into_iter().map(|(id, all)| (id, all.len())).collect()
    }
}
