//! Histograms of durations, and counters.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The upper bounds of the buckets, in microseconds: from a commit on a fast disk to a receiver's timeout.
const BOUNDS_US: [u64; 14] = [
    500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
    10_000_000,
];

/// Durations, counted by bucket.
#[derive(Debug, Default)]
pub struct Histogram {
    buckets: [Counter; BOUNDS_US.len()],
    count: Counter,
    sum_us: Counter,
}

impl Histogram {
    pub(super) fn observe(&self, duration: Duration) {
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        if let Some(bucket) = BOUNDS_US.iter().position(|bound| micros <= *bound) {
            self.buckets[bucket].add(1);
        }
        self.sum_us.add(micros);
        self.count.add(1);
    }

    /// The upper bound of each bucket, and the number of durations up to it.
    pub fn cumulative(&self) -> impl Iterator<Item = (Duration, u64)> + '_ {
        BOUNDS_US.iter().zip(&self.buckets).scan(0, |total, (bound, bucket)| {
            *total += bucket.get();
            Some((Duration::from_micros(*bound), *total))
        })
    }

    /// The number of durations, including those beyond the last bucket.
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

/// A monotonic counter.
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
