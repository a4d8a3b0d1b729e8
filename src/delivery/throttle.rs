//! How many deliveries are claimed and started ahead, from their measured duration.

use super::policy::DeliveryPolicy;
use crate::store::OUTBOX_BATCH;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How far ahead to claim: two batches, one in the dispatcher and one in its channel, are delivered in this time.
const CLAIM_AHEAD: Duration = Duration::from_secs(1);
/// How far ahead to start attempts: about two commits, so that one half is sent while the other half is started.
const START_AHEAD: Duration = Duration::from_millis(10);
/// The inverse weight of the newest duration in the moving average.
const SMOOTHING: u64 = 8;

/// A moving average of the duration of attempts, and the limits that follow from it.
pub(super) struct Throttle {
    /// The average; before the first attempt its timeout.
    mean_us: AtomicU64,
    slots: u64,
    claim_ahead: Duration,
    max_wait: Duration,
}

impl Throttle {
    pub(super) fn new(policy: &DeliveryPolicy) -> Self {
        let lease = policy.stale_after;
        let spare = lease.saturating_sub(policy.timeout) / 2;
        Self {
            mean_us: AtomicU64::new(micros(policy.timeout)),
            slots: u64::try_from(policy.slots).unwrap_or(1),
            claim_ahead: CLAIM_AHEAD.min(lease / 4),
            max_wait: spare.min(lease / 4).max(Duration::from_millis(100)),
        }
    }

    /// Adds the duration of an attempt to the average.
    pub(super) fn observe(&self, duration: Duration) {
        let mean = self.mean_us.load(Ordering::Relaxed);
        let next = (mean * (SMOOTHING - 1) + micros(duration)) / SMOOTHING;
        // Two tasks may overwrite each other's update, which an average tolerates.
        self.mean_us.store(next.max(1), Ordering::Relaxed);
    }

    /// How many to claim at once with `free` slots idle. Zero if deliveries are slow and all slots are taken: a claim
    /// would only wait here, and another process may be free.
    pub(super) fn claim(&self, free: usize) -> usize {
        (self.deliveries_in(self.claim_ahead) / 2).max(free).min(OUTBOX_BATCH)
    }

    /// How many attempts to start beyond the free slots.
    pub(super) fn start_ahead(&self) -> usize {
        self.deliveries_in(START_AHEAD).min(2 * OUTBOX_BATCH)
    }

    /// How long a claim may wait here for the start of its attempt, or a started attempt for its slot, before it is
    /// released: at most a quarter of the lease, and short enough that the lease does not expire before the response.
    pub(super) fn max_wait(&self) -> Duration {
        self.max_wait
    }

    fn deliveries_in(&self, window: Duration) -> usize {
        let deliveries = micros(window).saturating_mul(self.slots) / self.mean_us.load(Ordering::Relaxed).max(1);
        usize::try_from(deliveries).unwrap_or(usize::MAX)
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX / SMOOTHING)
}

#[cfg(test)]
#[path = "throttle_tests.rs"]
mod tests;
