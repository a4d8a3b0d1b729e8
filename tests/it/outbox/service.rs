//! A service of real processes with a receiver, whose outbox the test fills.

use super::fixture::{open, push, wait_where};
use crate::harness::{Builder, Engine, Process, Receiver, TestDatabase};
use doorward::clock::Clock;
use doorward::store::Store;
use std::collections::{BTreeMap, HashMap};

/// The settings, database and receiver that all processes of a service share.
pub struct Service {
    pub receiver: Receiver,
    pub store: Store,
    builder: Builder,
}

impl Service {
    /// Prepares a service without starting a process. A claim expires after four seconds and is then found at once; a
    /// shorter lease would expire on a busy machine.
    pub async fn new(engine: Engine, variables: &[(&str, &str)]) -> Self {
        let receiver = Receiver::start().await;
        let defaults = [
            ("SVC_WEBHOOK_TIMEOUT", "3s"),
            ("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "4s"),
            ("SVC_WEBHOOK_STALE_REAPER_INTERVAL", "100ms"),
            ("SVC_WEBHOOK_RETRY_DELAYS", "100ms"),
        ];
        let mut builder = engine.prepare().await.webhooks(&receiver);
        for (name, value) in defaults.iter().chain(variables) {
            builder = builder.set(name, *value);
        }
        let store = open(builder.database().url(), &Clock::system()).await;
        Self { receiver, store, builder }
    }

    /// Records events, each in its own transaction.
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

    /// Signs up a new user; returns the status.
    pub async fn sign_up(&self, number: usize) -> u16 {
        self.builder.anonymous().sign_up(&format!("user{number}@example.com")).await.status
    }

    pub async fn start(&self) -> Process {
        Process::start(self.variables()).await
    }

    /// Starts another process on its own port, with these changes to the settings.
    pub async fn start_beside(&self, changes: &[(&str, &str)]) -> Process {
        Process::start(&self.variables_beside(changes)).await
    }

    /// As [`Service::start_beside`], with a clock that keeps the process from being ready.
    pub async fn start_beside_unready(&self, changes: &[(&str, &str)]) -> Process {
        Process::start_unready(&self.variables_beside(changes)).await
    }

    fn variables_beside(&self, changes: &[(&str, &str)]) -> BTreeMap<String, String> {
        let mut variables = self.builder.with_another_port();
        variables.extend(changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        variables
    }

    /// Waits until `count` events are in a state.
    pub async fn wait_for(&self, count: i64, state: &str) {
        self.wait_where(count, &format!("state = '{state}'")).await;
    }

    /// Waits until `count` events fulfil a condition.
    pub async fn wait_where(&self, count: i64, condition: &str) {
        wait_where(self.database(), count, "outbox", condition).await;
    }

    /// The number of events that fulfil a condition.
    pub async fn count(&self, condition: &str) -> i64 {
        self.database().count(&format!("SELECT count(*) FROM outbox WHERE {condition}")).await
    }

    /// The number of requests for each event; fails if their bodies differ.
    pub fn times_received(&self) -> HashMap<String, usize> {
        let mut bodies: HashMap<String, Vec<Vec<u8>>> = HashMap::new();
        for request in self.receiver.received() {
            bodies.entry(request.id().to_owned()).or_default().push(request.body);
        }
        assert!(bodies.values().all(|all| all.iter().all(|body| *body == all[0])), "an event has changed");
        bodies.into_iter().map(|(id, all)| (id, all.len())).collect()
    }
}
