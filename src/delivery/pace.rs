//! How much may be claimed and begun ahead, from how fast deliveries go.

use super::policy::Policy;
use crate::store::OUTBOX_BATCH;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The most that is claimed ahead, as time: two batches, one with the dispatcher and one on its way, take no longer.
const CLAIMED_AHEAD: Duration = Duration::from_secs(1);
/// The most that is begun ahead, as time: about two commits, so that while one half is sent the other half is begun.
const STARTED_AHEAD: Duration = Duration::from_millis(10);
/// The newest duration's weight in the mean is one in so many.
const SMOOTHING: u64 = 8;

/// The mean duration of a delivery, and what follows from it.
pub(super) struct Pace {
    /// Microseconds; pessimistic until the first delivery.
    mean: AtomicU64,
    slots: u64,
    claimed_ahead: Duration,
    patience: Duration,
}

impl Pace {
    pub(super) fn new(policy: &Policy) -> Self {
        let lease = policy.stale_after;
        let spare = lease.saturating_sub(policy.timeout) / 2;
        Self {
            mean: AtomicU64::new(micros(policy.timeout)),
            slots: u64::try_from(policy.slots).unwrap_or(1),
            claimed_ahead: CLAIMED_AHEAD.min(lease / 4),
            patience: spare.min(lease / 4).max(Duration::from_millis(100)),
        }
    }

    /// Takes the duration of a delivery into account.
    pub(super) fn observe(&self, took: Duration) {
        let mean = self.mean.load(Ordering::Relaxed);
        let next = (mean * (SMOOTHING - 1) + micros(took)) / SMOOTHING;
        // Two tasks may overwrite each other's share; a mean does not mind.
        self.mean.store(next.max(1), Ordering::Relaxed);
    }

    /// How many to claim at once with `free` slots idle. None where deliveries are slow and all slots are taken: what
    /// is claimed then only waits, and another process may be free.
    pub(super) fn claim(&self, free: usize) -> usize {
        (self.deliveries_in(self.claimed_ahead) / 2).max(free).min(OUTBOX_BATCH)
    }

    /// How many to begin beyond the free slots.
    pub(super) fn start_ahead(&self) -> usize {
        self.deliveries_in(STARTED_AHEAD).min(2 * OUTBOX_BATCH)
    }

    /// How long a claim may wait here for its attempt to begin, or a begun attempt for its slot, before it goes back:
    /// a quarter of the lease, and never so long that the lease could end before the answer comes.
    pub(super) fn patience(&self) -> Duration {
        self.patience
    }

    fn deliveries_in(&self, window: Duration) -> usize {
        let deliveries = micros(window).saturating_mul(self.slots) / self.mean.load(Ordering::Relaxed).max(1);
        usize::try_from(deliveries).unwrap_or(usize::MAX)
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX / SMOOTHING)
}

#[cfg(test)]
#[path = "pace_tests.rs"]
mod tests;
