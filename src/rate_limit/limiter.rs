//! The shared state of the rate limits.

use super::memory::{API_KEY_CHANGES, API_KEY_WARNINGS, HourlyNames, MemoryBuckets, REFRESHES, WRONG_API_KEYS};
use crate::clock::Clock;
use crate::crypto::keyed_hash::LimitKey;
use crate::metrics::{Counters, LimitName};
use crate::model::api_key::{ApiKeyId, KeyFault};
use crate::model::ids::SessionId;
use crate::model::network::site;
use crate::model::principal::{Operation, Principal};
use crate::store::Store;
use std::hash::Hash;
use std::net::IpAddr;
use std::time::Duration;

/// Counts attempts and refuses those beyond the limits.
pub struct RateLimiter {
    /// `SVC_RATE_LIMIT`: if off, nothing is counted and nothing is refused.
    pub(super) enabled: bool,
    pub(super) store: Store,
    pub(super) clock: Clock,
    pub(super) key: LimitKey,
    pub(super) refusals: Counters<LimitName>,
    /// Attempts are counted by the process.
    pub(super) counter: Principal,
    refreshes: MemoryBuckets<SessionId>,
    wrong_api_keys: MemoryBuckets<IpAddr>,
    api_key_changes: MemoryBuckets<ApiKeyId>,
    api_key_warnings: MemoryBuckets<(ApiKeyId, &'static str)>,
    refused_origins: HourlyNames,
    refused_targets: HourlyNames,
}

impl RateLimiter {
    /// A limiter that counts in `store`, under ids derived with `key`, and what it refuses in `refusals`.
    pub fn new(enabled: bool, store: Store, clock: Clock, key: LimitKey, refusals: Counters<LimitName>) -> Self {
        Self {
            enabled,
            store,
            clock,
            key,
            refusals,
            counter: Principal::process(&[Operation::CountAttempts]),
            refreshes: MemoryBuckets::new(REFRESHES),
            wrong_api_keys: MemoryBuckets::new(WRONG_API_KEYS),
            api_key_changes: MemoryBuckets::new(API_KEY_CHANGES),
            api_key_warnings: MemoryBuckets::new(API_KEY_WARNINGS),
            refused_origins: HourlyNames::default(),
            refused_targets: HourlyNames::default(),
        }
    }

    /// Takes one from the bucket of a session's refreshes; if it is empty, the error is the time until it refills by
    /// one.
    pub fn check_refresh(&self, session: SessionId) -> Result<(), Duration> {
        self.take(&self.refreshes, session, LimitName::Refreshes)
    }

    /// As [`RateLimiter::check_refresh`], of the wrong API keys from the site of a client. Right ones do not count, and
    /// are not refused.
    pub fn check_wrong_api_key(&self, client: IpAddr) -> Result<(), Duration> {
        self.take(&self.wrong_api_keys, site(client), LimitName::WrongApiKeys)
    }

    /// As [`RateLimiter::check_refresh`], of the changes with an API key.
    pub fn check_api_key_change(&self, key: &ApiKeyId) -> Result<(), Duration> {
        self.take(&self.api_key_changes, key.clone(), LimitName::ApiKeyChanges)
    }

    /// Whether the log has no line of this hour about this key and reason. No request is refused for it, so it counts
    /// where the limits are off, too.
    pub fn is_key_warning_due(&self, key: &ApiKeyId, fault: KeyFault) -> bool {
        self.api_key_warnings.take((key.clone(), fault.as_str()), self.clock.now()).is_ok()
    }

    /// Whether the log has no line of this hour about changes refused from this origin, and fewer than ten in all.
    pub fn is_origin_warning_due(&self, origin: &str) -> bool {
        self.refused_origins.is_due(origin, self.clock.now())
    }

    /// As [`RateLimiter::is_origin_warning_due`], of an origin that nobody is sent back to.
    pub fn is_target_warning_due(&self, origin: &str) -> bool {
        self.refused_targets.is_due(origin, self.clock.now())
    }

    fn take<K: Eq + Hash>(&self, buckets: &MemoryBuckets<K>, key: K, name: LimitName) -> Result<(), Duration> {
        if !self.enabled {
            return Ok(());
        }
        buckets.take(key, self.clock.now()).inspect_err(|_| self.refusals.count(name))
    }
}
