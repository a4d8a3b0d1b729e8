//! The injected clock.

use crate::model::time::{Time, micros};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// The clock of a process: the system clock plus an offset, which is zero in production and which tests change, those of
/// applications too.
///
/// Clones share the offset, and whether the clock is held.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset: Arc<AtomicI64>,
    /// The system's time at which a test holds the clock; zero while it runs.
    held_at: Arc<AtomicI64>,
}

impl Clock {
    pub fn system() -> Self {
        Self::default()
    }

    pub fn now(&self) -> Time {
        let base = self.held_at().unwrap_or_else(system_micros);
        Time::from_micros(base.saturating_add(self.offset.load(Ordering::Relaxed)))
    }

    /// The offset in microseconds: PostgreSQL adds it to its own `now()`.
    pub fn offset_micros(&self) -> i64 {
        let behind = self.held_at().map_or(0, |at| system_micros().saturating_sub(at));
        self.offset.load(Ordering::Relaxed).saturating_sub(behind)
    }

    /// Moves the clock forward, also one that is held; for tests, and for the double in those of applications.
    pub fn advance(&self, by: Duration) {
        self.offset.fetch_add(micros(by), Ordering::Relaxed);
    }

    /// Stops the clock, so that only [`Clock::advance`] moves it; for tests.
    pub fn hold(&self) {
        self.held_at.store(system_micros(), Ordering::Relaxed);
    }

    fn held_at(&self) -> Option<i64> {
        Some(self.held_at.load(Ordering::Relaxed)).filter(|at| *at != 0)
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
fn system_micros() -> i64 {
    jiff::Timestamp::now().as_microsecond()
}
