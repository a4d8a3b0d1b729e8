//! A counter for what happens at every request.

use crossbeam_utils::CachePadded;
use std::sync::atomic::{AtomicU64, Ordering};
use thread_local::ThreadLocal;

/// Counts without a cache line that the processors would pass to and fro: each thread has its own.
#[derive(Debug, Default)]
pub struct Tally(ThreadLocal<CachePadded<AtomicU64>>);

impl Tally {
    /// Counts one.
    pub fn count(&self) {
        self.0.get_or_default().fetch_add(1, Ordering::Relaxed);
    }

    /// How many there were, of all threads.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
