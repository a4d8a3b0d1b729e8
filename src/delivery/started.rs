//! Deliveries whose attempts are begun and that wait for a slot.

use super::pace::Pace;
use crate::store::Claimed;
use crate::store::OUTBOX_BATCH;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// In the order of their beginning. The dispatcher puts them here, and has the first ones sent where a slot is free; an
/// attempt that is over goes on with the next one by itself, as the way over the dispatcher would keep its slot idle.
#[derive(Default)]
pub(super) struct Started {
    queue: Mutex<VecDeque<Held>>,
    low: Notify,
}

impl Started {
    pub(super) fn extend(&self, begun: Vec<Held>) {
        self.queue().extend(begun);
    }

    pub(super) fn len(&self) -> usize {
        self.queue().len()
    }

    /// Since when the first one waits.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.queue().front().map(|held| held.since)
    }

    /// The next one, unless it has waited for too long. Says when it is time to begin more.
    pub(super) fn next(&self, pace: &Pace) -> Option<Held> {
        let mut queue = self.queue();
        if queue.front()?.since.elapsed() >= pace.patience() {
            return None;
        }
        let next = queue.pop_front();
        let left = queue.len();
        drop(queue);
        if is_low(left, pace) {
            self.low.notify_one();
        }
        next
    }

    /// Those that have waited for so long.
    pub(super) fn take_older(&self, than: Duration) -> Vec<Held> {
        let mut queue = self.queue();
        let old = queue.iter().take_while(|held| held.since.elapsed() >= than).count();
        queue.drain(..old).collect()
    }

    pub(super) fn take_all(&self) -> Vec<Held> {
        self.queue().drain(..).collect()
    }

    /// Returns when so few are left that more should be begun.
    pub(super) async fn low(&self) {
        self.low.notified().await;
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<Held>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// While there is something to send, a commit for few would only keep those after it waiting.
pub(super) fn is_low(left: usize, pace: &Pace) -> bool {
    let ahead = pace.start_ahead();
    left == 0 || left + (ahead / 2).min(OUTBOX_BATCH) <= ahead
}

/// A claim, and since when it has waited here.
pub(super) struct Held {
    pub(super) delivery: Claimed,
    pub(super) since: Instant,
}
