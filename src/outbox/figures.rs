//! Counts for the metrics listener.

use std::sync::atomic::{AtomicU64, Ordering};

/// What this process has done with deliveries since its start.
#[derive(Debug, Default)]
pub struct Figures {
    /// Attempts that arrived.
    pub delivered: Counter,
    /// Attempts that did not, and will be repeated.
    pub retried: Counter,
    /// Deliveries that were given up.
    pub failed: Counter,
    /// Claims that were lost before their outcome was written; nothing was changed for them.
    pub lost_leases: Counter,
    /// Claims, of any process, that ran out and were taken back.
    pub reaped: Counter,
    /// Finished deliveries that were removed for their age.
    pub cleaned: Counter,
}

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    /// The count so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn add_len(&self, count: usize) {
        self.add(u64::try_from(count).unwrap_or(u64::MAX));
    }
}
