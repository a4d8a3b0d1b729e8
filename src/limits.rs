//! How often who may ask (contract.md 4): buckets that fill with time, in memory.

use crate::clock::Time;
use crate::domain::ids::SessionId;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// What is limited, and for whom.
#[derive(Clone, Copy, Debug)]
pub enum Limited<'a> {
    /// Log-ins from an address.
    LogInFrom(IpAddr),
    /// Log-ins to an account, by the name typed, from an address: another address is not held up by them.
    LogInTo(&'a str, IpAddr),
    /// Sign-ups from an address.
    SignUpFrom(IpAddr),
    /// Refreshes of a session.
    Refresh(SessionId),
}

/// How many at once, and how long until there is room for one more.
struct Rate {
    burst: u32,
    refill: Duration,
}

impl Limited<'_> {
    const fn rate(&self) -> Rate {
        match self {
            Limited::LogInFrom(_) => Rate { burst: 60, refill: Duration::from_secs(1) },
            Limited::LogInTo(..) => Rate { burst: 10, refill: Duration::from_secs(15) },
            Limited::SignUpFrom(_) => Rate { burst: 40, refill: Duration::from_secs(10) },
            Limited::Refresh(_) => Rate { burst: 600, refill: Duration::from_millis(100) },
        }
    }

    /// A number that stands for it: which bucket is whose cannot be told from outside, as the hash is keyed.
    fn key(&self, keys: &RandomState) -> u64 {
        match self {
            Limited::LogInFrom(address) => keys.hash_one((0, network(*address))),
            Limited::LogInTo(login, address) => keys.hash_one((1, login.trim().to_lowercase(), network(*address))),
            Limited::SignUpFrom(address) => keys.hash_one((2, network(*address))),
            Limited::Refresh(session) => keys.hash_one((3, session)),
        }
    }
}

/// One customer of a provider has a whole IPv6 /64, so that counts as one address.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::from((u128::from(v6) & !u128::from(u64::MAX)).to_be_bytes()),
    }
}

/// The buckets of one process.
pub struct Limits {
    enabled: bool,
    keys: RandomState,
    /// When each bucket will be full again.
    buckets: Mutex<HashMap<u64, Time>>,
}

/// Full buckets are forgotten when there are this many.
const MAX_BUCKETS: usize = 100_000;

impl Limits {
    /// Limits that hold, or that let everything pass.
    pub fn new(enabled: bool) -> Self {
        Self { enabled, keys: RandomState::new(), buckets: Mutex::new(HashMap::new()) }
    }

    /// Takes one from the bucket; if it is empty, the error is the time until there is one again.
    pub fn take(&self, what: Limited<'_>, now: Time) -> Result<(), Duration> {
        if !self.enabled {
            return Ok(());
        }
        let rate = what.rate();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_BUCKETS {
            buckets.retain(|_, full_at| *full_at > now);
        }
        let full_at = buckets.entry(what.key(&self.keys)).or_insert(now);
        let after = (*full_at).max(now) + rate.refill;
        // When there will be one: zero while the bucket is not empty.
        let wait = after.since(now).saturating_sub(rate.refill * rate.burst);
        if !wait.is_zero() {
            return Err(wait);
        }
        *full_at = after;
        Ok(())
    }

    /// Gives one back: a log-in that succeeded does not count.
    pub fn give_back(&self, what: Limited<'_>) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(full_at) = buckets.get_mut(&what.key(&self.keys)) {
            *full_at = *full_at - what.rate().refill;
        }
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
