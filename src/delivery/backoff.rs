//! Exponential backoff for an operation that keeps failing.

use super::shutdown::Shutdown;
use std::time::Duration;

const MIN_INTERVAL: Duration = Duration::from_millis(100);
const MAX_INTERVAL: Duration = Duration::from_secs(5);

pub(super) struct Backoff {
    next: Duration,
}

impl Backoff {
    pub(super) fn new() -> Self {
        Self { next: MIN_INTERVAL }
    }

    pub(super) fn reset(&mut self) {
        self.next = MIN_INTERVAL;
    }

    /// Waits twice as long as the last time, at most five seconds; a shutdown ends the wait.
    pub(super) async fn pause(&mut self, shutdown: &mut Shutdown) {
        shutdown.sleep(self.step()).await;
    }

    /// As [`Backoff::pause`], but a shutdown does not end the wait.
    pub(super) async fn pause_fully(&mut self) {
        tokio::time::sleep(self.step()).await;
    }

    fn step(&mut self) -> Duration {
        let interval = self.next;
        self.next = (interval * 2).min(MAX_INTERVAL);
        interval
    }
}
