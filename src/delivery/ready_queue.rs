//! Deliveries whose attempt was started and that wait for a slot.

use super::throttle::Throttle;
use crate::store::Claimed;
use crate::store::OUTBOX_BATCH;
use parking_lot::{Mutex, MutexGuard};
use std::collections::VecDeque;
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// A queue in the order of their start. The dispatcher fills it, and sends the first ones when a slot is free; an
/// attempt that has ended takes the next one by itself, as the way through the dispatcher would leave its slot idle.
#[derive(Default)]
pub(super) struct ReadyQueue {
    queue: Mutex<VecDeque<ClaimedDelivery>>,
    low: Notify,
}

impl ReadyQueue {
    pub(super) fn extend(&self, started: Vec<ClaimedDelivery>) {
        self.queue().extend(started);
    }

    pub(super) fn len(&self) -> usize {
        self.queue().len()
    }

    /// Since when the first one has waited.
    pub(super) fn oldest(&self) -> Option<Instant> {
        self.queue().front().map(|claimed| claimed.since)
    }

    /// Takes the next one, unless it has waited for too long. Notifies [`ReadyQueue::low`].
    pub(super) fn next(&self, throttle: &Throttle) -> Option<ClaimedDelivery> {
        let mut queue = self.queue();
        if queue.front()?.since.elapsed() >= throttle.max_wait() {
            return None;
        }
        let next = queue.pop_front();
        let remaining = queue.len();
        drop(queue);
        if is_low(remaining, throttle) {
            self.low.notify_one();
        }
        next
    }

    /// Takes those that have waited for at least `age`.
    pub(super) fn take_older(&self, age: Duration) -> Vec<ClaimedDelivery> {
        let mut queue = self.queue();
        let old = queue.iter().take_while(|claimed| claimed.since.elapsed() >= age).count();
        queue.drain(..old).collect()
    }

    pub(super) fn take_all(&self) -> Vec<ClaimedDelivery> {
        self.queue().drain(..).collect()
    }

    /// Returns when so few remain that more should be started.
    pub(super) async fn low(&self) {
        self.low.notified().await;
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<ClaimedDelivery>> {
        self.queue.lock()
    }
}

/// Whether more should be started. While some are ready, a commit for few would only delay those after it.
pub(super) fn is_low(ready: usize, throttle: &Throttle) -> bool {
    let ahead = throttle.start_ahead();
    ready == 0 || ready + (ahead / 2).min(OUTBOX_BATCH) <= ahead
}

/// A claimed delivery, and since when it has waited in its queue.
pub(super) struct ClaimedDelivery {
    pub(super) delivery: Claimed,
    pub(super) since: Instant,
}
