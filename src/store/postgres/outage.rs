//! One line in the log when the database goes away, and one when it is back.

use crate::store::error::StoreError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The database is back when it answers and nothing has failed for this time: while some connections live and others
/// are refused, it is still away.
const QUIET: Duration = Duration::from_secs(1);

/// Whether the database of a process is away.
#[derive(Default)]
pub(super) struct Outage {
    is_away: AtomicBool,
    times: Mutex<Option<Times>>,
}

struct Times {
    began: Instant,
    last_failure: Instant,
}

impl Outage {
    /// Records that the database could not be reached, or cannot serve.
    pub(super) fn failed(&self, error: &StoreError) {
        let now = Instant::now();
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(times) = &mut *times {
            times.last_failure = now;
        } else {
            *times = Some(Times { began: now, last_failure: now });
            self.is_away.store(true, Ordering::Relaxed);
            tracing::error!("database away: {}", error.cause());
        }
    }

    /// Records that the database has answered.
    pub(super) fn answered(&self) {
        if !self.is_away.load(Ordering::Relaxed) {
            return;
        }
        let mut times = self.times.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(Times { began, .. }) = times.take_if(|times| times.last_failure.elapsed() >= QUIET) {
            self.is_away.store(false, Ordering::Relaxed);
            tracing::info!("database back after {} s", began.elapsed().as_secs());
        }
    }
}
