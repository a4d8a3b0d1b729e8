//! How often something took how long, in fixed classes.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the classes, in microseconds: from a commit on a fast disk to a receiver's patience.
const BOUNDS: [u64; 14] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
    10_000_000,
];

/// Durations, counted by class.
#[derive(Debug, Default)]
pub struct Histogram {
    classes: [Counter; BOUNDS.len()],
    count: Counter,
    sum_us: Counter,
}

impl Histogram {
    pub(super) fn observe(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        if let Some(class) = BOUNDS.iter().position(|bound| micros <= *bound) {
            self.classes[class].add(1);
        }
        self.sum_us.add(micros);
        self.count.add(1);
    }

    /// For each class its upper bound, and how many durations were no longer.
    pub fn cumulative(&self) -> impl Iterator<Item = (Duration, u64)> + '_ {
        BOUNDS.iter().zip(&self.classes).scan(0, |total, (bound, class)| {
            *total += class.get();
            Some((Duration::from_micros(*bound), *total))
        })
    }

    /// How many durations there were, those beyond the last class included.
    pub fn count(&self) -> u64 {
        self.count.get()
    }

    /// Their sum.
    pub fn sum(&self) -> Duration {
        Duration::from_micros(self.sum_us.get())
    }
}

#[cfg(test)]
#[path = "histogram_tests.rs"]
mod tests;

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
