//! The results of the actions: latencies and failures.

use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// An action of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `GET /auth/api/v1/user`.
    User,
    /// A refresh of the session.
    Refresh,
    /// The account page.
    Page,
    /// A login.
    LogIn,
    /// A logout.
    LogOut,
    /// A signup.
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

    /// The display name.
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

/// A request with the expected response.
#[derive(Clone, Copy)]
pub struct Sample {
    /// The operation.
    pub operation: Operation,
    /// When it was sent, since the start of the records.
    pub asked: Duration,
    /// The latency.
    pub time: Duration,
}

/// A failed request.
#[derive(Clone)]
pub struct Failure {
    /// The operation.
    pub operation: Operation,
    /// When it was sent, since the start of the records.
    pub asked: Duration,
    /// When it ended, since the start of the records.
    pub ended: Duration,
    /// The kind of failure.
    pub kind: FailureKind,
    /// What happened.
    pub what: String,
}

/// Kinds of failure.
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

/// All results.
pub struct Records {
    epoch: Mutex<Instant>,
    took: Mutex<Vec<Sample>>,
    failures: Mutex<Vec<Failure>>,
    done: AtomicUsize,
}

impl Records {
    /// Empty records.
    pub fn new() -> Self {
        Self { epoch: Mutex::new(Instant::now()), took: Mutex::default(), failures: Mutex::default(), done: 0.into() }
    }

    /// Starts the clock again, and clears the latencies.
    pub fn begin(&self) {
        *self.epoch.lock() = Instant::now();
        self.took.lock().clear();
        self.done.store(0, Ordering::Relaxed);
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.epoch.lock().elapsed()
    }

    /// Records an expected response.
    pub fn success(&self, operation: Operation, asked: Instant) {
        let time = asked.elapsed();
        let asked = asked.saturating_duration_since(*self.epoch.lock());
        self.took.lock().push(Sample { operation, asked, time });
    }

    /// Records a failure.
    pub fn failure(&self, operation: Operation, asked: Instant, kind: FailureKind, what: impl Into<String>) {
        let epoch = *self.epoch.lock();
        let (asked, ended) = (asked.saturating_duration_since(epoch), epoch.elapsed());
        self.failures.lock().push(Failure { operation, asked, ended, kind, what: what.into() });
    }

    /// Counts an action that has ended.
    pub fn action_finished(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of actions that have ended.
    pub fn finished_actions(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// The expected responses.
    pub fn answers(&self) -> Vec<Sample> {
        self.took.lock().clone()
    }

    /// The failures.
    pub fn failures(&self) -> Vec<Failure> {
        self.failures.lock().clone()
    }

    /// The number of failures.
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
