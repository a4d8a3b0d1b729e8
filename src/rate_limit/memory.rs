//! Buckets in the memory of this process, for what is too frequent for a write each: with several processes the limit is
//! a multiple, which does no harm.

use super::rate::Rate;
use crate::model::time::Time;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

/// Refreshes of a session.
pub(super) const REFRESHES: Rate = Rate { burst: 600, refill_interval: Duration::from_millis(100) };
/// Wrong API keys from a site.
pub(super) const WRONG_API_KEYS: Rate = Rate { burst: 30, refill_interval: Duration::from_secs(1) };
pub(super) const API_KEY_CHANGES: Rate = Rate { burst: 200, refill_interval: Duration::from_millis(20) };

/// Lines of the log about one API key that is refused for one reason.
pub(super) const API_KEY_WARNINGS: Rate = Rate { burst: 1, refill_interval: Duration::from_hours(1) };

/// In one hour the log has at most this many lines about names that clients make up.
const MAX_NAMES: usize = 10;
const HOUR: Duration = Duration::from_hours(1);

/// Names that clients make up, and when the log last had a line about each.
#[derive(Default)]
pub(super) struct HourlyNames(Mutex<HashMap<String, Time>>);

impl HourlyNames {
    /// Whether a line about a name is due, which then counts as logged.
    pub(super) fn is_due(&self, name: &str, now: Time) -> bool {
        let mut logged = self.0.lock();
        logged.retain(|_, at| now.since(*at) < HOUR);
        if logged.len() >= MAX_NAMES || logged.contains_key(name) {
            return false;
        }
        logged.insert(name.to_owned(), now);
        true
    }
}

/// Full buckets are dropped at this number of buckets. If none is full, further ones are not counted: who has that many
/// networks is not stopped by a limit for each.
const MAX_BUCKETS: usize = 100_000;

/// The buckets of one process, by what they count.
pub(super) struct MemoryBuckets<K> {
    rate: Rate,
    /// When each bucket will be full again.
    buckets: Mutex<HashMap<K, Time>>,
}

impl<K: Eq + Hash> MemoryBuckets<K> {
    pub(super) fn new(rate: Rate) -> Self {
        Self { rate, buckets: Mutex::default() }
    }

    /// Takes one from a bucket; if it is empty, the error is the time until it refills by one.
    pub(super) fn take(&self, key: K, now: Time) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock();
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|_, full_at| *full_at > now);
            if buckets.len() >= MAX_BUCKETS && !buckets.contains_key(&key) {
                return Ok(());
            }
        }
        let full_at = buckets.entry(key).or_insert(now);
        *full_at = self.rate.full_after(*full_at, now)?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
