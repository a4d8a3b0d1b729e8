//! Growing pauses between attempts at something that keeps failing.

use super::stop::Stop;
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

pub(super) struct Backoff {
    next: Duration,
}

impl Backoff {
    pub(super) fn new() -> Self {
        Self { next: FIRST }
    }

    /// Begins anew, after a success.
    pub(super) fn reset(&mut self) {
        self.next = FIRST;
    }

    /// Waits twice as long as the last time, but no longer than five seconds and than until the pool is stopped.
    pub(super) async fn pause(&mut self, stop: &mut Stop) {
        stop.sleep(self.step()).await;
    }

    /// As [`Backoff::pause`], also when the pool is stopped.
    pub(super) async fn pause_fully(&mut self) {
        tokio::time::sleep(self.step()).await;
    }

    fn step(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(LONGEST);
        pause
    }
}
