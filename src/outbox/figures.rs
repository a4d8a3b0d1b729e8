//! Counts and times for the metrics listener.

use super::histogram::Histogram;
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
    /// Attempts whose outcome was written, by its class.
    pub attempts: Outcomes,
    /// How long attempts took.
    pub delivery_time: Histogram,
    /// How long it took to claim what was due, if anything was.
    pub claim_time: Histogram,
}

/// Attempts by the class of their outcome.
#[derive(Debug, Default)]
pub struct Outcomes([Counter; Outcomes::CLASSES.len()]);

impl Outcomes {
    /// Every class that an attempt is recorded with.
    pub const CLASSES: [&'static str; 10] =
        ["delivered", "status", "name", "connect", "tls", "timeout", "closed", "internal", "interrupted", "disabled"];

    /// Each class with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        Self::CLASSES.into_iter().zip(self.0.iter().map(Counter::get))
    }

    pub(super) fn add(&self, class: &str) {
        if let Some(index) = Self::CLASSES.iter().position(|known| *known == class) {
            self.0[index].add(1);
        }
    }
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
