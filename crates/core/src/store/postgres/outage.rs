//! What a process knows of an outage of its database: one line in the log when it goes away and one when it is back, and
//! how long requests wait meanwhile.

use crate::model::time;
use crate::store::error::StoreError;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The database is back when it answers and nothing has failed for this time: while some connections live and others
/// are refused, it is still away.
const QUIET: Duration = Duration::from_secs(1);
/// Who comes in this time after its beginning waits for the end of an outage: a restart of the server takes less.
const SHORT: Duration = Duration::from_secs(5);
/// Who comes later waits so long at most: by then it is known that the database is away.
const PATIENCE: Duration = Duration::from_millis(400);

/// Whether the database of a process is unavailable.
#[derive(Default)]
pub(super) struct Outage {
    is_away: AtomicBool,
    times: Mutex<Option<Times>>,
    /// How long those that are over have taken, in microseconds.
    over: AtomicU64,
}

struct Times {
    began: Instant,
    last_failure: Instant,
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

impl Outage {
    /// Records that the database could not be reached, or cannot serve.
    pub(super) fn failed(&self, error: &StoreError) {
        let now = Instant::now();
        let cause = Cause::from(error);
        let mut times = self.times.lock();
        if let Some(times) = &mut *times {
            times.last_failure = now;
            times.unreachable = Some(cause);
        } else {
            tracing::error!(target: "doorward::store::postgres::outage", "database away: {}", cause.text);
            *times = Some(Times { began: now, last_failure: now, unreachable: Some(cause) });
            self.is_away.store(true, Ordering::Relaxed);
        }
    }

    /// Records that a new connection was made: others may be.
    pub(super) fn reached(&self) {
        if self.is_away()
            && let Some(times) = &mut *self.times.lock()
        {
            times.unreachable = None;
        }
    }

    /// Why the server could not be reached a moment ago, unless it was since.
    pub(super) fn unreachable(&self) -> Option<Cause> {
        if !self.is_away() {
            return None;
        }
        self.times.lock().as_ref().and_then(|times| times.unreachable.clone())
    }

    /// Until when who comes now waits for a connection, if the server cannot be reached for this reason.
    pub(super) fn patience(&self, cause: &Cause) -> Instant {
        let soon = Instant::now() + PATIENCE;
        let began = self.times.lock().as_ref().map(|times| times.began).filter(|_| cause.is_short);
        began.map_or(soon, |began| soon.max(began + SHORT))
    }

    /// Why the server cannot be reached, if that is known for so long that nothing waits for it any more.
    pub(super) fn known(&self) -> Option<Cause> {
        let cause = self.unreachable()?;
        let times = self.times.lock();
        times.as_ref().filter(|times| times.began.elapsed() >= SHORT).map(|_| cause)
    }

    /// Whether an outage is going on.
    pub(super) fn is_away(&self) -> bool {
        self.is_away.load(Ordering::Relaxed)
    }

    /// Records that the database has answered.
    pub(super) fn answered(&self) {
        if !self.is_away() {
            return;
        }
        let mut times = self.times.lock();
        if let Some(Times { began, .. }) = times.take_if(|times| times.last_failure.elapsed() >= QUIET) {
            self.is_away.store(false, Ordering::Relaxed);
            let took = began.elapsed();
            self.over.fetch_add(time::micros(took).unsigned_abs(), Ordering::Relaxed);
            tracing::info!(target: "doorward::store::postgres::outage", "database back after {} s", took.as_secs());
        }
    }

    /// Whether the database is unavailable, and for how long it was so far, together.
    pub(super) fn so_far(&self) -> (bool, Duration) {
        let over = Duration::from_micros(self.over.load(Ordering::Relaxed));
        let times = self.times.lock();
        let began = times.as_ref().map(|times| times.began);
        (began.is_some(), over + began.map(|began| began.elapsed()).unwrap_or_default())
    }
}
