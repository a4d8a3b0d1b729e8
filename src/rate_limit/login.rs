//! Tries at the password of an account: what guessing costs, and what it must not cost others.
//!
//! NIST SP 800-63B-4, 3.2.2 asks for no more than 100 failures in a row. A lock after them would let anybody lock others
//! out, so there are delays that grow with the failures instead:
//!
//! - Each network may try for itself, at any account ([`FROM`]).
//! - Each network may fail at one name [`PLACE`]`.free` times, then waits longer and longer.
//! - All networks together may fail at one name [`NAME`]`.free` times, then all wait longer and longer; after 50
//!   failures, a day. But for the networks from which the account was entered in the last 30 days: what strangers do
//!   elsewhere does not hold its owner up.
//!
//! Failures are counted by what was typed, a username or an address, whether or not an account has it: so that nobody
//! learns from the waiting that both are one account's, and that its owner has the other name where strangers try one.
//! An account has two names, so 50 failures for each make the 100. A success forgets the failures at both.

use super::bucket::{Rate, RateLimitError, bytes, folded};
use super::limiter::RateLimiter;
use crate::crypto::limit_id::LimitKey;
use crate::model::ids::UserId;
use crate::model::time::Time;
use crate::store::{LimitRow, StoreError};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

const FROM: Rate = Rate { burst: 60, refill: Duration::from_secs(1) };
/// From one network, at one name.
const PLACE: Delays = Delays { free: 10, first: Duration::from_secs(15), longest: Duration::from_mins(15), last: None };
/// At one name, from networks that are strange to its account.
const NAME: Delays = Delays {
    free: 10,
    first: Duration::from_secs(1),
    longest: Duration::from_hours(2),
    last: Some((50, Duration::from_hours(24))),
};
/// Failures in a row are remembered for so long after the last one.
const FAILURES_KEPT: Duration = Duration::from_hours(90 * 24);
/// A network stays familiar for this long after a log-in.
const FAMILIAR: Duration = Duration::from_hours(30 * 24);

/// Delays that double with each failure.
struct Delays {
    /// Failures without one.
    free: i64,
    first: Duration,
    longest: Duration,
    /// From so many failures on, another one.
    last: Option<(i64, Duration)>,
}

impl Delays {
    /// How long after this failure in a row the next try waits.
    fn after(&self, failures: i64) -> Duration {
        match self.last {
            Some((from, delay)) if failures >= from => delay,
            _ if failures < self.free => Duration::ZERO,
            _ => {
                let doubled = u32::try_from(failures - self.free).unwrap_or(u32::MAX).min(30);
                (self.first * (1 << doubled)).min(self.longest)
            }
        }
    }

    /// The state after one more try, which counts as failed until it has succeeded.
    fn fail(&self, row: LimitRow, now: Time) -> LimitRow {
        let failures = row.failures + 1;
        LimitRow { at: now + self.after(failures), failures, expires_at: now + FAILURES_KEPT, ..row }
    }
}

/// What is known of tries at one name from one network.
#[derive(Clone, Copy, Debug)]
struct Tries {
    from: LimitRow,
    place: LimitRow,
    name: LimitRow,
    /// Until when the network is familiar to the account.
    familiar: LimitRow,
}

impl Tries {
    /// The state after a try that is permitted; if none is, the error is the time until one is.
    fn begin(self, now: Time) -> Result<Self, Duration> {
        let from = FROM.take(self.from, now)?;
        let is_familiar = now < self.familiar.at;
        let until = if is_familiar { self.place.at } else { self.place.at.max(self.name.at) };
        if now < until {
            return Err(until.since(now));
        }
        let name = if is_familiar { self.name } else { NAME.fail(self.name, now) };
        Ok(Self { from, place: PLACE.fail(self.place, now), name, familiar: self.familiar })
    }
}

/// The ids of the buckets of one network.
struct Ids<'a> {
    key: &'a LimitKey,
    network: [u8; 16],
}

impl Ids<'_> {
    fn from(&self) -> Uuid {
        self.key.id("log-in from", &[&self.network])
    }

    fn place(&self, name: &str) -> Uuid {
        self.key.id("log-in at place", &[name.as_bytes(), &self.network])
    }

    fn name(&self, name: &str) -> Uuid {
        self.key.id("log-in at name", &[name.as_bytes()])
    }

    /// Of an account; or, where there is none, of the name typed, for the same work.
    fn familiar(&self, user: Option<UserId>, name: &str) -> Uuid {
        let (kind, whose): (&[u8], &[u8]) = match &user {
            Some(user) => (b"user", user.0.as_bytes()),
            None => (b"name", name.as_bytes()),
        };
        self.key.id("familiar", &[kind, whose, &self.network])
    }
}

impl RateLimiter {
    /// Takes what a password attempt costs, with the same statements for every name; to be called before the password is
    /// checked. `typed` is what was typed as username or email address, `user` the account that has it, if there is one.
    pub async fn begin_login(&self, typed: &str, user: Option<UserId>, from: IpAddr) -> Result<(), RateLimitError> {
        if !self.enabled {
            return Ok(());
        }
        let (ids, typed) = (Ids { key: &self.key, network: bytes(from) }, folded(typed));
        let mut tx = self.store.begin().await?;
        let rows =
            tx.limits_lock([ids.from(), ids.place(&typed), ids.name(&typed), ids.familiar(user, &typed)]).await?;
        let [from, place, name, familiar] = rows;
        match (Tries { from, place, name, familiar }).begin(self.clock.now()) {
            Ok(Tries { from, place, name, familiar }) => {
                tx.limits_write([from, place, name, familiar]).await?;
                Ok(tx.commit().await?)
            }
            Err(wait) => {
                tx.rollback().await?;
                Err(RateLimitError::Exceeded(wait))
            }
        }
    }

    /// Gives back what a login cost, forgets the failures at both names of the account, and remembers the network. A
    /// database error is only logged: the login has succeeded.
    pub async fn login_succeeded(&self, user: UserId, from: IpAddr) {
        if !self.enabled {
            return;
        }
        if let Err(error) = self.forget_failures(user, from).await {
            tracing::warn!("a successful login was not recorded in the rate limits: {error}");
        }
    }

    async fn forget_failures(&self, user: UserId, from: IpAddr) -> Result<(), StoreError> {
        let Some(row) = self.store.read().await?.user_find(user).await? else { return Ok(()) };
        let names = [folded(&row.email), folded(&row.username)];
        let ids = Ids { key: &self.key, network: bytes(from) };
        let [one, other] = [&names[0], &names[1]];
        let counts = [ids.place(one), ids.place(other), ids.name(one), ids.name(other)].map(LimitRow::fresh);
        let mut tx = self.store.begin().await?;
        let [from, familiar, ..] = tx
            .limits_lock([
                ids.from(),
                ids.familiar(Some(user), ""),
                counts[0].id,
                counts[1].id,
                counts[2].id,
                counts[3].id,
            ])
            .await?;
        let until = self.clock.now() + FAMILIAR;
        let familiar = LimitRow { at: until, expires_at: until, ..familiar };
        let [one, other, three, four] = counts;
        tx.limits_write([FROM.give_back(from), familiar, one, other, three, four]).await?;
        tx.commit().await
    }
}

#[cfg(test)]
#[path = "login_tests.rs"]
mod tests;
