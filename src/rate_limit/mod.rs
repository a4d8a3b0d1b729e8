//! Rate limits (docs/protocol.md, section 14).
//!
//! A [`RateLimit`] is a bucket that empties with each use and fills with time. The buckets are rows of the database, so
//! that all processes share them and they survive a restart. Password attempts have rules of their own (`login`), which
//! grow with failures. Refreshes of a session are too many to write each one down: every process counts them in its own
//! memory (`refresh`).

mod bucket;
mod login;
mod refresh;

pub use bucket::{RateLimit, RateLimitError};

use crate::clock::Clock;
use crate::crypto::limit_id::LimitKey;
use crate::store::Store;
use refresh::RefreshLimits;

/// Counts attempts and refuses those beyond the limits.
pub struct RateLimiter {
    /// `SVC_RATE_LIMIT`: if off, nothing is counted and nothing is refused.
    enabled: bool,
    store: Store,
    clock: Clock,
    key: LimitKey,
    refreshes: RefreshLimits,
}

impl RateLimiter {
    /// Limits that count in `store`, under ids made with `key`.
    pub fn new(enabled: bool, store: Store, clock: Clock, key: LimitKey) -> Self {
        Self { enabled, store, clock, key, refreshes: RefreshLimits::default() }
    }
}
