//! Tries at the password of an account: what guessing costs, and what it must not cost others.
//!
//! NIST SP 800-63B-4, 3.2.2 asks for no more than 100 failures in a row. A lock after them would let anybody lock others
//! out, so there are delays that grow with the failures instead:
//!
//! - Each network may try for itself, at any account ([`FROM`]).
//! - Each network may fail at one account [`PLACE`]`.free` times, then waits longer and longer.
//! - All networks together may fail at one account [`ACCOUNT`]`.free` times, then all wait longer and longer; after 100
//!   failures, a day. But for the networks from which the account was entered in the last 30 days: what strangers do
//!   elsewhere does not hold its owner up.
//!
//! A success forgets the failures. Accounts that do not exist are counted like others, by the name typed.

use super::bucket::{Rate, Refused, bytes};
use crate::app::App;
use crate::clock::Time;
use crate::domain::ids::UserId;
use crate::store::LimitRow;
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

const FROM: Rate = Rate { burst: 60, refill: Duration::from_secs(1) };
/// From one network, at one account.
const PLACE: Delays = Delays { free: 10, first: Duration::from_secs(15), longest: Duration::from_mins(15), last: None };
/// At one account, from networks that are strange to it.
const ACCOUNT: Delays = Delays {
    free: 20,
    first: Duration::from_secs(1),
    longest: Duration::from_hours(1),
    last: Some((100, Duration::from_hours(24))),
};
/// Failures in a row are remembered for so long after the last one.
const FAILURES_KEPT: Duration = Duration::from_hours(90 * 24);
/// A network stays familiar for this long after a log-in.
const FAMILIAR: Duration = Duration::from_hours(30 * 24);

/// Whose password is tried.
#[derive(Clone, Copy, Debug)]
pub enum Account<'a> {
    /// An account's.
    User(UserId),
    /// That of an account that does not exist, by the name typed.
    Name(&'a str),
}

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

/// What is known of tries at one account from one network.
#[derive(Clone, Copy, Debug)]
struct Tries {
    from: LimitRow,
    place: LimitRow,
    account: LimitRow,
    /// Until when the network is familiar.
    familiar: LimitRow,
}

impl Tries {
    fn ids(app: &App, account: Account<'_>, from: IpAddr) -> [Uuid; 4] {
        let name;
        let (kind, account): (&[u8], &[u8]) = match &account {
            Account::User(user) => (b"user", user.0.as_bytes()),
            Account::Name(typed) => {
                name = typed.trim().to_lowercase();
                (b"name", name.as_bytes())
            }
        };
        let network = bytes(from);
        let keys = &app.secret_keys;
        [
            keys.limit_id("log-in from", &[&network]),
            keys.limit_id("log-in at place", &[kind, account, &network]),
            keys.limit_id("log-in at account", &[kind, account]),
            keys.limit_id("familiar", &[kind, account, &network]),
        ]
    }

    const fn rows(self) -> [LimitRow; 4] {
        [self.from, self.place, self.account, self.familiar]
    }

    /// The state after a try that is permitted; if none is, the error is the time until one is.
    fn begin(self, now: Time) -> Result<Self, Duration> {
        let from = FROM.take(self.from, now)?;
        let is_familiar = now < self.familiar.at;
        let until = if is_familiar { self.place.at } else { self.place.at.max(self.account.at) };
        if now < until {
            return Err(until.since(now));
        }
        let account = if is_familiar { self.account } else { ACCOUNT.fail(self.account, now) };
        Ok(Self { from, place: PLACE.fail(self.place, now), account, familiar: self.familiar })
    }

    /// The state after the right password: nothing of it counts, and the network is familiar.
    fn succeed(self, now: Time) -> Self {
        let until = now + FAMILIAR;
        Self {
            from: FROM.give_back(self.from),
            place: LimitRow::fresh(self.place.id),
            account: LimitRow::fresh(self.account.id),
            familiar: LimitRow { at: until, expires_at: until, ..self.familiar },
        }
    }
}

impl From<[LimitRow; 4]> for Tries {
    fn from([from, place, account, familiar]: [LimitRow; 4]) -> Self {
        Self { from, place, account, familiar }
    }
}

/// Takes what a try costs, the same statements for every account; to be asked before the password is looked at.
pub async fn begin(app: &App, account: Account<'_>, from: IpAddr) -> Result<(), Refused> {
    if !app.settings.server.rate_limit {
        return Ok(());
    }
    let mut tx = app.store.begin().await?;
    let tries = Tries::from(tx.limits_lock(Tries::ids(app, account, from)).await?);
    match tries.begin(app.clock.now()) {
        Ok(tries) => {
            tx.limits_write(tries.rows()).await?;
            Ok(tx.commit().await?)
        }
        Err(wait) => {
            tx.rollback().await?;
            Err(Refused::Wait(wait))
        }
    }
}

/// Gives back what a log-in cost, and remembers the network. A failure of the database is only logged: the user is in.
pub async fn succeeded(app: &App, user: UserId, from: IpAddr) {
    if !app.settings.server.rate_limit {
        return;
    }
    let done = async {
        let mut tx = app.store.begin().await?;
        let tries = Tries::from(tx.limits_lock(Tries::ids(app, Account::User(user), from)).await?);
        tx.limits_write(tries.succeed(app.clock.now()).rows()).await?;
        tx.commit().await
    };
    if let Err(error) = done.await {
        tracing::warn!("that a log-in succeeded was not noted: {error}");
    }
}

#[cfg(test)]
#[path = "log_in_tests.rs"]
mod tests;
