//! Rate limits of password attempts, against credential stuffing and brute force, without account lockout.
//!
//! NIST SP 800-63B-4, 3.2.2 allows no more than 100 consecutive failures. A lockout after them would let anyone lock
//! others out, so there are delays that grow with the failures instead:
//!
//! - Each network has a rate limit of its own, for all accounts together ([`PER_NETWORK`]).
//! - Logins to one account that succeed have one too ([`LOGINS_TO_ACCOUNT`]): each costs a password hash.
//! - Each network may fail at one name [`PER_NAME_AND_NETWORK`]`.free_failures` times, then its delays double.
//! - All networks together may fail at one name [`PER_NAME`]`.free_failures` times, then the delays of all double;
//!   after 50 failures the delay is a day. Networks from which the account logged in within the last 30 days are
//!   exempt, so that attempts from elsewhere do not delay its owner.
//!
//! Failures are counted by the name that was entered, username or email address, whether or not an account has it: so
//! the delays reveal neither accounts (account enumeration) nor that two names belong to one account, and its owner can
//! use the other name while one is attacked. An account has two names, so 50 failures at each make the 100. A success
//! resets the failures at both.

use super::bucket::{LOGINS_TO_ACCOUNT, Rate, RateLimit, RateLimitError, bytes, normalized};
use super::limiter::RateLimiter;
use crate::crypto::limit_id::LimitKey;
use crate::model::ids::UserId;
use crate::model::network::subnet;
use crate::model::time::Time;
use crate::store::{LimitRow, StoreError};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

const PER_NETWORK: Rate = Rate { burst: 60, refill_interval: Duration::from_secs(1) };
/// From one network, at one name.
const PER_NAME_AND_NETWORK: Delays = Delays {
    free_failures: 10,
    min_delay: Duration::from_secs(15),
    max_delay: Duration::from_mins(15),
    final_delay: None,
};
/// At one name, from networks without a recent login to its account.
const PER_NAME: Delays = Delays {
    free_failures: 10,
    min_delay: Duration::from_secs(1),
    max_delay: Duration::from_hours(2),
    final_delay: Some((50, Duration::from_hours(24))),
};
/// Consecutive failures are stored for this time after the last one.
const FAILURE_RETENTION: Duration = Duration::from_hours(90 * 24);
/// A network stays known to an account for this time after a login.
const KNOWN_NETWORK_TTL: Duration = Duration::from_hours(30 * 24);

/// Delays that double with each failure.
struct Delays {
    /// The number of failures without a delay.
    free_failures: i64,
    min_delay: Duration,
    max_delay: Duration,
    /// A number of failures, and the delay from then on.
    final_delay: Option<(i64, Duration)>,
}

impl Delays {
    /// The delay of the next attempt after this number of consecutive failures.
    fn after(&self, failures: i64) -> Duration {
        match self.final_delay {
            Some((from, delay)) if failures >= from => delay,
            _ if failures < self.free_failures => Duration::ZERO,
            _ => {
                let doublings = u32::try_from(failures - self.free_failures).unwrap_or(u32::MAX).min(30);
                (self.min_delay * (1 << doublings)).min(self.max_delay)
            }
        }
    }

    /// The state after one more attempt, which counts as failed until it has succeeded.
    fn fail(&self, row: LimitRow, now: Time) -> LimitRow {
        let failures = row.failures + 1;
        LimitRow { at: now + self.after(failures), failures, expires_at: now + FAILURE_RETENTION, ..row }
    }
}

/// The counters of attempts at one name from one network.
#[derive(Clone, Copy, Debug)]
struct LoginCounters {
    network: LimitRow,
    name_and_network: LimitRow,
    name: LimitRow,
    /// Until when the network is known to the account.
    known_network: LimitRow,
    /// The logins to the account that succeeded, which an attempt does not change.
    logins: LimitRow,
}

impl LoginCounters {
    /// The counters after an attempt, if one is allowed; otherwise the error is the time until one is.
    fn begin(self, now: Time) -> Result<Self, Duration> {
        let network = PER_NETWORK.take(self.network, now)?;
        LOGINS_TO_ACCOUNT.take(self.logins, now)?;
        let is_known = now < self.known_network.at;
        let allowed_at = if is_known { self.name_and_network.at } else { self.name_and_network.at.max(self.name.at) };
        if now < allowed_at {
            return Err(allowed_at.since(now));
        }
        let name = if is_known { self.name } else { PER_NAME.fail(self.name, now) };
        let name_and_network = PER_NAME_AND_NETWORK.fail(self.name_and_network, now);
        Ok(Self { network, name_and_network, name, ..self })
    }
}

/// Derives the ids of the counters of one network.
struct CounterIds<'a> {
    key: &'a LimitKey,
    network: [u8; 16],
}

impl CounterIds<'_> {
    fn network(&self) -> Uuid {
        self.key.id("log-in from", &[&self.network])
    }

    fn name_and_network(&self, name: &str) -> Uuid {
        self.key.id("log-in at place", &[name.as_bytes(), &self.network])
    }

    fn name(&self, name: &str) -> Uuid {
        self.key.id("log-in at name", &[name.as_bytes()])
    }

    /// By account; without an account by the name entered, so that the work is the same.
    fn known_network(&self, user: Option<UserId>, name: &str) -> Uuid {
        let (kind, owner): (&[u8], &[u8]) = match &user {
            Some(user) => (b"user", user.0.as_bytes()),
            None => (b"name", name.as_bytes()),
        };
        self.key.id("familiar", &[kind, owner, &self.network])
    }

    /// By account; without an account by the name entered, so that the work is the same.
    fn logins(&self, user: Option<UserId>, name: &str) -> Uuid {
        match user {
            Some(user) => RateLimit::LoginsTo(user).id(self.key),
            None => self.key.id("log-ins to nobody", &[name.as_bytes()]),
        }
    }
}

impl RateLimiter {
    /// Counts a password attempt, with the same statements for every name; call it before the password is checked.
    /// `name` is the username or email address that was entered, `user` the account that has it, if there is one.
    pub async fn begin_login(&self, name: &str, user: Option<UserId>, from: IpAddr) -> Result<(), RateLimitError> {
        if !self.enabled {
            return Ok(());
        }
        let (ids, name) = (CounterIds { key: &self.key, network: bytes(subnet(from)) }, normalized(name));
        let mut tx = self.store.begin().await?;
        let [network, name_and_network, known_network, logins, name] = tx
            .limits_lock([
                ids.network(),
                ids.name_and_network(&name),
                ids.known_network(user, &name),
                ids.logins(user, &name),
                ids.name(&name),
            ])
            .await?;
        let counters = LoginCounters { network, name_and_network, name, known_network, logins };
        match counters.begin(self.clock.now()) {
            Ok(LoginCounters { network, name_and_network, name, .. }) => {
                tx.limits_write([network, name_and_network, name]).await?;
                Ok(tx.commit().await?)
            }
            Err(wait) => {
                tx.rollback().await?;
                Err(RateLimitError::Exceeded(wait))
            }
        }
    }

    /// Counts a login to the account, gives back the attempt, resets the failures at both names of the account, and
    /// records the network as known. A database error is only logged, as the login has succeeded.
    ///
    /// A pending login is none yet: until its second factor is right, its attempt counts as a failure.
    pub async fn login_succeeded(&self, user: UserId, from: IpAddr) {
        if !self.enabled {
            return;
        }
        if let Err(error) = self.reset_failures(user, from).await {
            tracing::warn!("a successful login was not recorded in the rate limits: {error}");
        }
    }

    async fn reset_failures(&self, user: UserId, from: IpAddr) -> Result<(), StoreError> {
        let Some(row) = self.store.read().await?.user_find(user).await? else { return Ok(()) };
        let (email, username) = (normalized(&row.email), normalized(&row.username));
        let ids = CounterIds { key: &self.key, network: bytes(subnet(from)) };
        let [a, b] = [&email, &username].map(|name| LimitRow::fresh(ids.name_and_network(name)));
        let [c, d] = [&email, &username].map(|name| LimitRow::fresh(ids.name(name)));
        let mut tx = self.store.begin().await?;
        let (network, known_network, logins) =
            (ids.network(), ids.known_network(Some(user), ""), ids.logins(Some(user), ""));
        let [network, known_network, logins, ..] =
            tx.limits_lock([network, known_network, logins, a.id, b.id, c.id, d.id]).await?;
        let now = self.clock.now();
        let until = now + KNOWN_NETWORK_TTL;
        let known_network = LimitRow { at: until, expires_at: until, ..known_network };
        // Those that began at the same time may be more than are allowed: all of them count.
        let logins = LOGINS_TO_ACCOUNT.overdraw(logins, now);
        tx.limits_write([PER_NETWORK.give_back(network), known_network, logins, a, b, c, d]).await?;
        tx.commit().await
    }
}

#[cfg(test)]
#[path = "login_tests.rs"]
mod tests;
