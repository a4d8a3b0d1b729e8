//! Warnings that any client can cause with each request or connection, and that must not fill the log.

use parking_lot::Mutex;
use std::time::Duration;
use tokio::time::Instant;

/// The least time between two warnings of one kind.
const INTERVAL: Duration = Duration::from_mins(1);

/// When a kind of warning was logged last.
#[derive(Debug, Default)]
pub struct WarningInterval(Mutex<Option<Instant>>);

impl WarningInterval {
    pub const fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// Whether the warning is due, which then counts as logged now.
    pub fn is_due(&self) -> bool {
        let mut last = self.0.lock();
        let is_due = last.is_none_or(|last| last.elapsed() >= INTERVAL);
        if is_due {
            *last = Some(Instant::now());
        }
        is_due
    }
}
