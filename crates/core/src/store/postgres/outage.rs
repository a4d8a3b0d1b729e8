//! One line in the log when the database goes away, and one when it is back.

use crate::model::time;
use crate::store::error::StoreError;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::Instant;

/// The database is back when it answers and nothing has failed for this time: while some connections live and others
/// are refused, it is still away.
const QUIET: Duration = Duration::from_secs(1);

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
}

impl Outage {
    /// Records that the database could not be reached, or cannot serve.
    pub(super) fn failed(&self, error: &StoreError) {
        let now = Instant::now();
        let mut times = self.times.lock();
        if let Some(times) = &mut *times {
            times.last_failure = now;
        } else {
            *times = Some(Times { began: now, last_failure: now });
            self.is_away.store(true, Ordering::Relaxed);
            tracing::error!(target: "doorward::store::postgres::outage", "database away: {}", error.cause());
        }
    }

    /// Records that the database has answered.
    pub(super) fn answered(&self) {
        if !self.is_away.load(Ordering::Relaxed) {
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
