//! The shared state of the rate limits.

use super::refresh::RefreshLimits;
use crate::clock::Clock;
use crate::crypto::limit_id::LimitKey;
use crate::model::ids::SessionId;
use crate::store::Store;
use std::time::Duration;

/// Counts attempts and refuses those beyond the limits.
pub struct RateLimiter {
    /// `SVC_RATE_LIMIT`: if off, nothing is counted and nothing is refused.
    pub(super) enabled: bool,
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) key: LimitKey,
    refreshes: RefreshLimits,
}

impl RateLimiter {
    /// A limiter that counts in `store`, under ids derived with `key`.
    pub fn new(enabled: bool, store: Store, clock: Clock, key: LimitKey) -> Self {
        Self { enabled, store, clock, key, refreshes: RefreshLimits::default() }
    }

    /// Takes one from the bucket of a session's refreshes; if it is empty, the error is the time until it refills by
    /// one.
    pub fn check_refresh(&self, session: SessionId) -> Result<(), Duration> {
        if self.enabled { self.refreshes.take(session, self.clock.now()) } else { Ok(()) }
    }
}
