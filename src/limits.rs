//! How often who may ask (contract.md 4): buckets that fill with time, in memory.

use crate::clock::Time;
use crate::domain::ids::{OrganizationId, SessionId, UserId};
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
    /// Log-ins to an account, by the name typed, from anywhere but where it was logged into before.
    LogInAnywhere(&'a str),
    /// Sign-ups from an address.
    SignUpFrom(IpAddr),
    /// Mails with a link or a code to an address.
    MailTo(&'a str),
    /// Mails that somebody at an address asks for.
    MailFrom(IpAddr),
    /// Refreshes of a session.
    Refresh(SessionId),
    /// Team organizations that a user creates.
    NewTeam(UserId),
    /// Links of invitations that a user makes: they may be mailed to people who never asked.
    InviteBy(UserId),
    /// Links of invitations to an organization, whoever of its members makes them.
    InviteTo(OrganizationId),
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
            // NIST SP 800-63B-4, 3.2.2: no more than 100 consecutive failures.
            Limited::LogInAnywhere(_) => Rate { burst: 100, refill: Duration::from_secs(30) },
            Limited::SignUpFrom(_) => Rate { burst: 40, refill: Duration::from_secs(10) },
            Limited::NewTeam(_) => Rate { burst: 20, refill: Duration::from_mins(5) },
            Limited::InviteBy(_) => Rate { burst: 50, refill: Duration::from_secs(20) },
            Limited::InviteTo(_) => Rate { burst: 200, refill: Duration::from_secs(10) },
            // Sooner again than the link of a reset ends: whoever uses them up for somebody leaves them a good link.
            Limited::MailTo(_) => Rate { burst: 6, refill: Duration::from_mins(10) },
            Limited::MailFrom(_) => Rate { burst: 20, refill: Duration::from_secs(30) },
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
            Limited::LogInAnywhere(login) => keys.hash_one((4, login.trim().to_lowercase())),
            Limited::MailTo(email) => keys.hash_one((9, email.trim().to_lowercase())),
            Limited::MailFrom(address) => keys.hash_one((10, network(*address))),
            Limited::NewTeam(user) => keys.hash_one((6, user)),
            Limited::InviteBy(user) => keys.hash_one((7, user)),
            Limited::InviteTo(organization) => keys.hash_one((8, organization)),
        }
    }
}

/// One customer of a provider has a whole IPv6 /64, so that counts as one address.
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::from((u128::from(v6) & !u128::from(u64::MAX)).to_be_bytes()),
    }
}

/// The buckets of one process.
pub struct Limits {
    enabled: bool,
    keys: RandomState,
    /// When each bucket will be full again; and until when a place is familiar.
    buckets: Mutex<HashMap<u64, Time>>,
}

/// A place stays familiar for this long after a log-in.
const FAMILIAR: Duration = Duration::from_hours(24);
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

    /// Takes what a log-in costs. Where the account was logged into before, tries made elsewhere hold nobody up: else a
    /// stranger could keep the owner out.
    pub fn take_log_in(&self, login: &str, from: IpAddr, now: Time) -> Result<(), Duration> {
        self.take(Limited::LogInFrom(from), now)?;
        self.take(Limited::LogInTo(login, from), now)?;
        if self.is_familiar(login, from, now) { Ok(()) } else { self.take(Limited::LogInAnywhere(login), now) }
    }

    /// Gives back what a log-in cost that succeeded, and remembers the place.
    pub fn log_in_succeeded(&self, login: &str, from: IpAddr, now: Time) {
        for cost in [Limited::LogInFrom(from), Limited::LogInTo(login, from), Limited::LogInAnywhere(login)] {
            self.give_back(cost);
        }
        if self.enabled {
            let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
            buckets.insert(self.familiar_key(login, from), now + FAMILIAR);
        }
    }

    fn is_familiar(&self, login: &str, from: IpAddr, now: Time) -> bool {
        let buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        buckets.get(&self.familiar_key(login, from)).is_some_and(|until| now < *until)
    }

    fn familiar_key(&self, login: &str, from: IpAddr) -> u64 {
        self.keys.hash_one((5, login.trim().to_lowercase(), network(from)))
    }

    /// Gives one back: a log-in that succeeded does not count.
    fn give_back(&self, what: Limited<'_>) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(full_at) = buckets.get_mut(&what.key(&self.keys)) {
            *full_at = *full_at - what.rate().refill;
        }
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
