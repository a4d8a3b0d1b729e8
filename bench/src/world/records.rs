//! What came of each action: how long it took, and what went wrong.

use super::lock;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// What somebody does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `GET /auth/api/v1/user`.
    User,
    /// A refresh of the session.
    Refresh,
    /// The account page.
    Page,
    /// A log-in.
    LogIn,
    /// A log-out.
    LogOut,
    /// A sign-up.
    SignUp,
    /// A step in the life of a team.
    Team,
    /// Something that must be refused.
    Refused,
}

impl Operation {
    /// All of them, as they are shown.
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

    /// For people.
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

/// A request that was answered as it should be.
#[derive(Clone, Copy)]
pub struct Took {
    /// What was asked.
    pub operation: Operation,
    /// Since the records began.
    pub asked: Duration,
    /// Until the answer.
    pub time: Duration,
}

/// Something that should not have been.
#[derive(Clone)]
pub struct Wrong {
    /// What was asked.
    pub operation: Operation,
    /// Since the records began.
    pub asked: Duration,
    /// Since the records began.
    pub ended: Duration,
    /// How bad.
    pub kind: WrongKind,
    /// What happened.
    pub what: String,
}

/// What should not have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WrongKind {
    /// No answer, or the service's own fault: only while a fault is made.
    Error,
    /// An honest user with a session was refused: never.
    Refusal,
    /// A session that had ended was answered: never.
    Ghost,
    /// Something was done that had to be refused, or the answer is another one than the contract says: never.
    Contract,
}

/// Everything that happened.
pub struct Records {
    epoch: Mutex<Instant>,
    took: Mutex<Vec<Took>>,
    wrong: Mutex<Vec<Wrong>>,
    done: AtomicUsize,
}

impl Records {
    /// None yet.
    pub fn new() -> Self {
        Self { epoch: Mutex::new(Instant::now()), took: Mutex::default(), wrong: Mutex::default(), done: 0.into() }
    }

    /// Begins anew.
    pub fn begin(&self) {
        *lock(&self.epoch) = Instant::now();
        lock(&self.took).clear();
        self.done.store(0, Ordering::Relaxed);
    }

    /// How much time has passed.
    pub fn elapsed(&self) -> Duration {
        lock(&self.epoch).elapsed()
    }

    /// An answer as it should be.
    pub fn good(&self, operation: Operation, asked: Instant) {
        let time = asked.elapsed();
        let asked = asked.saturating_duration_since(*lock(&self.epoch));
        lock(&self.took).push(Took { operation, asked, time });
    }

    /// Something that should not have been.
    pub fn wrong(&self, operation: Operation, asked: Instant, kind: WrongKind, what: impl Into<String>) {
        let epoch = *lock(&self.epoch);
        let (asked, ended) = (asked.saturating_duration_since(epoch), epoch.elapsed());
        lock(&self.wrong).push(Wrong { operation, asked, ended, kind, what: what.into() });
    }

    /// An action has ended.
    pub fn count(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Actions that have ended.
    pub fn counted(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    /// The answers.
    pub fn answers(&self) -> Vec<Took> {
        lock(&self.took).clone()
    }

    /// What went wrong.
    pub fn wrongs(&self) -> Vec<Wrong> {
        lock(&self.wrong).clone()
    }

    /// How much went wrong.
    pub fn wrong_count(&self) -> usize {
        lock(&self.wrong).len()
    }
}

/// The same things told once, with when and how often.
pub fn tell<'a>(wrongs: impl Iterator<Item = &'a Wrong>) -> Vec<String> {
    let mut told = BTreeMap::<(&str, &str), (f64, usize)>::new();
    for wrong in wrongs {
        told.entry((wrong.operation.name(), &wrong.what)).or_insert((wrong.asked.as_secs_f64(), 0)).1 += 1;
    }
    let lines = told.into_iter();
    lines.map(|((who, what), (first, times))| format!("{who}: {what}, {times} times from {first:.1} s on")).collect()
}
