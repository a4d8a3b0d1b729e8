//! How slowly a body may arrive: a slow client holds memory that others wait for.

use std::time::Duration;
use tokio::time::Instant;

/// The least rate: 1 kB/s.
const TIME_OF_BYTE: Duration = Duration::from_millis(1);
/// How long a body may take before the rate counts.
const FIRST_SECOND: Duration = Duration::from_secs(1);
/// How far it may fall behind the rate, at any time: phones lose their network for a moment.
const MAX_PAUSE: Duration = Duration::from_secs(2);
/// For all of it. A body of 64 KiB that arrives at 5 kB/s with some pauses needs less.
const MAX_TIME: Duration = Duration::from_secs(20);

/// When a body is given up. What comes faster than the rate does not pay for a longer pause later.
pub(super) struct ArrivalDeadline {
    due: Instant,
    end: Instant,
}

impl ArrivalDeadline {
    /// Of a body that has brought nothing yet.
    pub(super) fn begin() -> Self {
        let now = Instant::now();
        Self { due: now + FIRST_SECOND + MAX_PAUSE, end: now + MAX_TIME }
    }

    /// When it is too slow, unless it brings more.
    pub(super) fn due(&self) -> Instant {
        self.due.min(self.end)
    }

    pub(super) fn bring(&mut self, bytes: usize) {
        let paid = self.due + TIME_OF_BYTE * u32::try_from(bytes).unwrap_or(u32::MAX);
        self.due = paid.min(Instant::now() + FIRST_SECOND + MAX_PAUSE);
    }
}

#[cfg(test)]
#[path = "arrival_tests.rs"]
mod tests;
