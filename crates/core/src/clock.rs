//! The injected clock.

use crate::model::time::{Time, micros};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

/// The clock of a process: the system clock plus an offset, which is zero in production and which tests change.
///
/// Clones share the offset.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset: Arc<AtomicI64>,
}

impl Clock {
    pub fn system() -> Self {
        Self::default()
    }

    pub fn now(&self) -> Time {
        #[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
        let system = jiff::Timestamp::now().as_microsecond();
        Time::from_micros(system.saturating_add(self.offset_micros()))
    }

    /// The offset in microseconds: PostgreSQL adds it to its own `now()`.
    pub fn offset_micros(&self) -> i64 {
        self.offset.load(Ordering::Relaxed)
    }

    /// Moves the clock forward; for tests.
    pub fn advance(&self, by: Duration) {
        self.offset.fetch_add(micros(by), Ordering::Relaxed);
    }
}
