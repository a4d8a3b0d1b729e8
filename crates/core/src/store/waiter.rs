//! Counting those who wait.

use std::sync::atomic::{AtomicUsize, Ordering};

/// One who waits, counted until this is dropped.
pub(super) struct Waiter<'a>(&'a AtomicUsize);

impl<'a> Waiter<'a> {
    pub(super) fn begin(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
