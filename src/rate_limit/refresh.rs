//! Refreshes of a session, counted in the memory of this process: with several processes the limit is a multiple, which
//! does no harm.

use crate::model::ids::SessionId;
use crate::model::time::Time;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

const BURST: u32 = 600;
const REFILL_INTERVAL: Duration = Duration::from_millis(100);
/// Full buckets are dropped at this number of buckets.
const MAX_BUCKETS: usize = 100_000;

/// The buckets of one process.
#[derive(Default)]
pub(super) struct RefreshLimits {
    /// When each bucket will be full again.
    buckets: Mutex<HashMap<SessionId, Time>>,
}

impl RefreshLimits {
    pub(super) fn take(&self, session: SessionId, now: Time) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|_, full_at| *full_at > now);
        }
        let full_at = buckets.entry(session).or_insert(now);
        let after = (*full_at).max(now) + REFILL_INTERVAL;
        // The time until it refills by one: zero while the bucket is not empty.
        let wait = after.since(now).saturating_sub(REFILL_INTERVAL * BURST);
        if !wait.is_zero() {
            return Err(wait);
        }
        *full_at = after;
        Ok(())
    }
}

#[cfg(test)]
#[path = "refresh_tests.rs"]
mod tests;
