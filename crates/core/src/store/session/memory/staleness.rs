//! The staleness of the session cache: when the change feed was last polled, and whether a poll is required.

use super::reader::FeedReader;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// The ages of the last poll at which the next one is due.
#[derive(Clone, Copy)]
pub(in crate::store) struct StalenessBounds {
    /// From this age on the next poll starts in the background; requests do not wait for it.
    pub(in crate::store) refresh_after: Duration,
    /// From this age on requests wait for the next poll.
    pub(in crate::store) max_staleness: Duration,
}

impl StalenessBounds {
    /// A poll takes a few microseconds, on the thread of the request that needs it.
    pub(in crate::store) const SQLITE: Self =
        Self { refresh_after: Duration::from_millis(10), max_staleness: Duration::from_millis(10) };
    /// A poll takes a round trip. A change must be visible everywhere within a second (docs/reference/browser.md 8.3);
    /// half of it is left for the request itself.
    pub(in crate::store) const POSTGRES: Self =
        Self { refresh_after: Duration::from_millis(100), max_staleness: Duration::from_millis(500) };
}

/// When the change feed was last polled, and whether it was invalidated since.
pub(in crate::store) struct Staleness {
    bounds: StalenessBounds,
    origin: Instant,
    /// The number of transactions of this process that changed a session or a user.
    invalidations: AtomicU64,
    /// The value of `invalidations` when the last poll started.
    polled_invalidations: AtomicU64,
    /// When the last poll started, in microseconds after `origin`.
    polled_at: AtomicU64,
    failures: AtomicU64,
    /// Held during a poll, of which there is one at a time.
    pub(in crate::store) reader: Mutex<FeedReader>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::store) enum CacheState {
    Fresh,
    /// It may be used while a poll runs in the background (stale-while-revalidate).
    RefreshDue,
    /// The change feed must be polled first.
    Stale,
}

pub(in crate::store) struct StartedPoll {
    invalidations: u64,
    at: u64,
}

impl Staleness {
    pub(in crate::store) fn new(bounds: StalenessBounds) -> Self {
        Self {
            bounds,
            origin: Instant::now(),
            // Ahead of `polled_invalidations`: the cache is stale before the first poll.
            invalidations: AtomicU64::new(1),
            polled_invalidations: AtomicU64::new(0),
            polled_at: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            reader: Mutex::default(),
        }
    }

    /// The next request must wait for a poll that starts after this call.
    pub(in crate::store) fn invalidate(&self) {
        self.invalidations.fetch_add(1, SeqCst);
    }

    pub(in crate::store) fn state(&self) -> CacheState {
        self.state_at(self.micros())
    }

    fn state_at(&self, now: u64) -> CacheState {
        if self.polled_invalidations.load(SeqCst) < self.invalidations.load(SeqCst) {
            return CacheState::Stale;
        }
        let age = Duration::from_micros(now.saturating_sub(self.polled_at.load(SeqCst)));
        if age >= self.bounds.max_staleness {
            CacheState::Stale
        } else if age >= self.bounds.refresh_after {
            CacheState::RefreshDue
        } else {
            CacheState::Fresh
        }
    }

    pub(in crate::store) fn start_poll(&self) -> StartedPoll {
        self.start_poll_at(self.micros())
    }

    fn start_poll_at(&self, now: u64) -> StartedPoll {
        StartedPoll { invalidations: self.invalidations.load(SeqCst), at: now }
    }

    /// Records that the changes a poll returned have been applied.
    pub(in crate::store) fn finish_poll(&self, poll: &StartedPoll) {
        self.polled_at.fetch_max(poll.at, SeqCst);
        self.polled_invalidations.fetch_max(poll.invalidations, SeqCst);
    }

    /// The time since the last poll that succeeded began; since the start, if there was none.
    pub(in crate::store) fn age(&self) -> Duration {
        Duration::from_micros(self.micros().saturating_sub(self.polled_at.load(SeqCst)))
    }

    pub(in crate::store) fn failures(&self) -> u64 {
        self.failures.load(SeqCst)
    }

    pub(in crate::store) fn fail_poll(&self) {
        self.failures.fetch_add(1, SeqCst);
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
#[path = "staleness_tests.rs"]
mod tests;
