//! What a process knows of an outage of its database: one line in the log when it goes away and one when it is back, and
//! how long requests wait meanwhile.
//!
//! A server that has too many connections refuses new ones and goes on answering those that are open: it is away only
//! if it answers nothing any more.

use crate::model::time;
use crate::store::error::StoreError;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The database is back when it answers and nothing has failed for this time: while some connections live and others
/// are refused, it is still away. A server that is short of connections is away when it has answered nothing for as long.
const QUIET: Duration = Duration::from_secs(1);
/// Callers in this time after its beginning wait for the end of an outage: a restart of the server takes less.
const SHORT: Duration = Duration::from_secs(5);
/// Later callers wait at most 400 ms; the outage is already known.
const PATIENCE: Duration = Duration::from_millis(400);

/// Whether the database of a process is unavailable.
#[derive(Default)]
pub(super) struct Outage {
    /// Whether there is trouble, for which an answer counts.
    is_troubled: AtomicBool,
    trouble: Mutex<Option<Trouble>>,
    /// How long the outages that are over have taken, in microseconds.
    over: AtomicU64,
    /// How often there was no connection to be had, as there were too many.
    refused: AtomicU64,
}

struct Trouble {
    began: Instant,
    last_failure: Instant,
    /// The last answer since the trouble began.
    last_answer: Option<Instant>,
    /// `None` while the server is only short of connections.
    away_since: Option<Instant>,
    /// Why the last attempt to use it failed; `None` once a connection was made since.
    unreachable: Option<Cause>,
}

/// Why the server could not be reached.
#[derive(Clone)]
pub(super) struct Cause {
    text: String,
    /// Whether it may pass soon, as that of a server that starts.
    is_short: bool,
}

impl From<&StoreError> for Cause {
    fn from(error: &StoreError) -> Self {
        Self { text: error.cause(), is_short: error.is_short() }
    }
}

/// The error of who did not try.
impl From<Cause> for StoreError {
    fn from(cause: Cause) -> Self {
        StoreError::Away(cause.text)
    }
}

impl Trouble {
    /// Whether the server is more than short of connections.
    fn is_silent(&self, now: Instant) -> bool {
        now.duration_since(self.last_answer.unwrap_or(self.began)) >= QUIET
    }
}

impl Outage {
    /// Records that the database could not be reached, or cannot serve.
    pub(super) fn failed(&self, error: &StoreError) {
        let (now, is_crowded) = (Instant::now(), error.is_without_connection());
        if is_crowded {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        let mut trouble = self.trouble.lock();
        let is_new = trouble.is_none();
        let trouble = trouble.get_or_insert(Trouble {
            began: now,
            last_failure: now,
            last_answer: None,
            away_since: None,
            unreachable: None,
        });
        trouble.last_failure = now;
        trouble.unreachable = Some(error.into());
        if trouble.away_since.is_none() && (!is_crowded || trouble.is_silent(now)) {
            trouble.away_since = Some(now);
            tracing::error!(target: "doorward::store::postgres::outage", "database away: {}", error.cause());
        } else if is_new {
            tracing::warn!(target: "doorward::store::postgres::outage", "the database has no further connection: {}", error.cause());
        }
        self.is_troubled.store(true, Ordering::Relaxed);
    }

    /// Records that a new connection was made: others may be.
    pub(super) fn reached(&self) {
        if self.is_troubled()
            && let Some(trouble) = &mut *self.trouble.lock()
        {
            trouble.unreachable = None;
        }
    }

    /// Why the server could not be reached a moment ago, unless it was since.
    pub(super) fn unreachable(&self) -> Option<Cause> {
        if !self.is_troubled() {
            return None;
        }
        self.trouble.lock().as_ref().and_then(|trouble| trouble.unreachable.clone())
    }

    /// Until when who comes now, and would wait until `deadline`, waits for a connection, if none can be made for this
    /// reason. While others are answered, one of theirs is soon free.
    pub(super) fn patience(&self, cause: &Cause, deadline: Instant) -> Instant {
        let Some(since) = self.trouble.lock().as_ref().and_then(|trouble| trouble.away_since) else { return deadline };
        let soon = Instant::now() + PATIENCE;
        let until = if cause.is_short { soon.max(since + SHORT) } else { soon };
        until.min(deadline)
    }

    /// Why the server cannot be reached, if that is known for so long that nothing waits for it any more.
    pub(super) fn known(&self) -> Option<Cause> {
        let cause = self.unreachable()?;
        let since = self.trouble.lock().as_ref().and_then(|trouble| trouble.away_since)?;
        (since.elapsed() >= SHORT).then_some(cause)
    }

    fn is_troubled(&self) -> bool {
        self.is_troubled.load(Ordering::Relaxed)
    }

    pub(super) fn answered(&self) {
        if !self.is_troubled() {
            return;
        }
        let now = Instant::now();
        let mut current = self.trouble.lock();
        let Some(trouble) = &mut *current else { return };
        trouble.last_answer = Some(now);
        if now.duration_since(trouble.last_failure) < QUIET {
            return;
        }
        if let Some(since) = trouble.away_since {
            let took = now.duration_since(since);
            self.over.fetch_add(time::micros(took).unsigned_abs(), Ordering::Relaxed);
            tracing::info!(target: "doorward::store::postgres::outage", "database back after {} s", took.as_secs());
        } else {
            let took = now.duration_since(trouble.began).as_secs();
            tracing::info!(target: "doorward::store::postgres::outage", "the database has connections again after {took} s");
        }
        *current = None;
        self.is_troubled.store(false, Ordering::Relaxed);
    }

    /// Whether the database is unavailable, and for how long it was so far, together.
    pub(super) fn so_far(&self) -> (bool, Duration) {
        let over = Duration::from_micros(self.over.load(Ordering::Relaxed));
        let since = self.trouble.lock().as_ref().and_then(|trouble| trouble.away_since);
        (since.is_some(), over + since.map(|since| since.elapsed()).unwrap_or_default())
    }

    pub(super) fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
#[path = "outage_tests.rs"]
mod tests;
