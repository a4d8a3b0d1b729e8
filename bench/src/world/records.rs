//! The results of the actions: latencies and failures.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    User,
    Refresh,
    Page,
    LogIn,
    LogOut,
    SignUp,
    /// A step in the life cycle of a team.
    Team,
    /// A request that must be refused.
    Refused,
}

impl Operation {
    /// All operations, in display order.
    pub const ALL: [Operation; 8] = [
        Operation::User,
        Operation::Refresh,
        Operation::Page,
        Operation::LogIn,
        Operation::LogOut,
        Operation::SignUp,
        Operation::Team,
        Operation::Refused,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Operation::User => "GET /user",
            Operation::Refresh => "refresh",
            Operation::Page => "account page",
            Operation::LogIn => "log-in",
            Operation::LogOut => "log-out",
            Operation::SignUp => "sign-up",
            Operation::Team => "organization",
            Operation::Refused => "refused form",
        }
    }
}

#[derive(Clone, Copy)]
pub struct Sample {
    pub operation: Operation,
    /// When it was sent, since the start of the records.
    pub asked: Duration,
    pub time: Duration,
}

#[derive(Clone)]
pub struct Failure {
    pub operation: Operation,
    /// When it was sent, since the start of the records.
    pub asked: Duration,
    /// When it ended, since the start of the records.
    pub ended: Duration,
    pub kind: FailureKind,
    pub what: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// No response, or a server error: allowed during a fault only.
    Error,
    /// A legitimate user with a session was refused: never allowed.
    Refusal,
    /// An ended session was accepted: never allowed.
    EndedSession,
    /// A response that violates `docs/reference/protocol.md`, or success where a refusal is required: never allowed.
    UnexpectedAnswer,
}

pub struct Records {
    epoch: Mutex<Instant>,
    took: Mutex<Vec<Sample>>,
    failures: Mutex<Vec<Failure>>,
    done: AtomicUsize,
}

impl Records {
    pub fn new() -> Self {
        Self { epoch: Mutex::new(Instant::now()), took: Mutex::default(), failures: Mutex::default(), done: 0.into() }
    }

    /// Starts the clock again, and clears the latencies.
    pub fn begin(&self) {
        *self.epoch.lock() = Instant::now();
        self.took.lock().clear();
        self.done.store(0, Ordering::Relaxed);
    }

    pub fn elapsed(&self) -> Duration {
        self.epoch.lock().elapsed()
    }

    pub fn success(&self, operation: Operation, asked: Instant) {
        let time = asked.elapsed();
        let asked = asked.saturating_duration_since(*self.epoch.lock());
        self.took.lock().push(Sample { operation, asked, time });
    }

    pub fn failure(&self, operation: Operation, asked: Instant, kind: FailureKind, what: impl Into<String>) {
        let epoch = *self.epoch.lock();
        let (asked, ended) = (asked.saturating_duration_since(epoch), epoch.elapsed());
        self.failures.lock().push(Failure { operation, asked, ended, kind, what: what.into() });
    }

    pub fn action_finished(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    pub fn finished_actions(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    pub fn answers(&self) -> Vec<Sample> {
        self.took.lock().clone()
    }

    pub fn failures(&self) -> Vec<Failure> {
        self.failures.lock().clone()
    }

    pub fn failure_count(&self) -> usize {
        self.failures.lock().len()
    }
}

/// A line for each distinct failure, with its first time and count.
pub fn summarize<'a>(failures: impl Iterator<Item = &'a Failure>) -> Vec<String> {
    let mut groups = BTreeMap::<(&str, &str), (f64, usize)>::new();
    for failure in failures {
        groups.entry((failure.operation.name(), &failure.what)).or_insert((failure.asked.as_secs_f64(), 0)).1 += 1;
    }
    let lines = groups.into_iter();
    lines.map(|((who, what), (first, times))| format!("{who}: {what}, {times} times from {first:.1} s on")).collect()
}
