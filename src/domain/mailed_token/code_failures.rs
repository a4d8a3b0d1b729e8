//! Wrong codes, counted for the address that a code verifies, and for the site that it was typed from.
//!
//! A code of six digits can be guessed, and a hit verifies the address of someone else. So the counts belong to the
//! address and not to the mail, the signup or the account that a code was for: they outlive all of these, and signups,
//! verifications and changes of addresses share them, as their codes show the same. They are no rate limits, and hold
//! with `SVC_RATE_LIMIT=off`. Links cannot be guessed, and work at any time.
//!
//! Codes that confirm a person in a session count apart, by account: a stranger's signups must not use them up.

use crate::context::App;
use crate::model::ids::UserId;
use crate::model::network::site;
use crate::model::time::Time;
use crate::store::{CodeFailuresRow, StoreError, Tx};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

/// How long wrong codes are counted after the last one.
pub const CODE_FAILURE_RETENTION: Duration = Duration::from_hours(30 * 24);
const DAY: Duration = Duration::from_hours(24);
/// Wrong codes from one site in the day that begins with the first: many people may share a site.
const MAX_FROM_SITE: i64 = 1000;

/// The wrong codes after which no code is accepted.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    day: i64,
    /// In 30 days (NIST SP 800-63B-4, 3.2.2).
    month: i64,
}

const FOR_ADDRESS: Bounds = Bounds { day: 50, month: 100 };
/// Only the person of a session types these, or who sits at it.
const FOR_ACCOUNT: Bounds = Bounds { day: 20, month: 50 };

/// What the wrong ones of a code count for.
#[derive(Clone, Copy, Debug)]
pub(super) enum CountedFor<'a> {
    /// The folded address, and the site of the client's address.
    Address(&'a str, IpAddr),
    Account(UserId),
}

/// The wrong codes that count for a code that was typed.
pub(super) struct CodeFailures {
    own: CodeFailuresRow,
    bounds: Bounds,
    site: Option<CodeFailuresRow>,
    now: Time,
}

impl CodeFailures {
    /// Reads the counts and locks those of the address or the account: its codes are checked one after the other.
    ///
    /// Those of the site are not locked before a wrong code is counted, so that a site does not wait for itself.
    pub(super) async fn lock(app: &App, tx: &mut Tx, counted: CountedFor<'_>) -> Result<Self, StoreError> {
        let now = app.clock.now();
        let (id, bounds) = match counted {
            CountedFor::Address(email_key, _) => (id_of_address(app, email_key), FOR_ADDRESS),
            CountedFor::Account(user) => (id_of_account(app, user), FOR_ACCOUNT),
        };
        let own = of_subject(tx.code_failures_lock(id).await?, now);
        let site = match counted {
            CountedFor::Address(_, from) => Some(of_site(tx.code_failures_find(id_of_site(app, from)).await?, now)),
            CountedFor::Account(_) => None,
        };
        Ok(Self { own, bounds, site, now })
    }

    /// Whether no code is accepted, not even the right one.
    pub(super) fn are_too_many(&self) -> bool {
        self.own.recent >= self.bounds.day
            || self.own.total >= self.bounds.month
            || self.site.is_some_and(|site| site.recent >= MAX_FROM_SITE)
    }

    /// Counts a wrong code. Call it last before the commit.
    pub(super) async fn count_one(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        if let Some(site) = &mut self.site {
            let locked = tx.code_failures_lock(site.id).await?;
            *site = plus_one(of_site(locked, self.now), self.now);
            tx.code_failures_write(site).await?;
        }
        self.own = plus_one(self.own, self.now);
        tx.code_failures_write(&self.own).await
    }
}

/// Forgets the wrong codes for an account and its address; `false` if there were none. For an operator who knows whose
/// they are.
pub(in crate::domain) async fn forget(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    email_key: &str,
) -> Result<bool, StoreError> {
    let of_account = tx.code_failures_delete(id_of_account(app, user)).await?;
    Ok(tx.code_failures_delete(id_of_address(app, email_key)).await? || of_account)
}

fn id_of_address(app: &App, email_key: &str) -> Uuid {
    app.secret_keys.limit_key().id("wrong codes", &[b"email verification", email_key.as_bytes()])
}

fn id_of_account(app: &App, user: UserId) -> Uuid {
    app.secret_keys.limit_key().id("wrong codes", &[b"confirmation", user.0.as_bytes()])
}

fn id_of_site(app: &App, from: IpAddr) -> Uuid {
    app.secret_keys.limit_key().id("wrong codes from", &[site(from).to_string().as_bytes()])
}

/// The counts of an address or an account. They start over once a day, or a month, has passed since the last wrong code:
/// so no day holds more than the maximum, whenever it begins.
fn of_subject(row: CodeFailuresRow, now: Time) -> CodeFailuresRow {
    let age = now.since(row.last_failed_at);
    CodeFailuresRow {
        recent: if age < DAY { row.recent } else { 0 },
        total: if age < CODE_FAILURE_RETENTION { row.total } else { 0 },
        ..row
    }
}

/// The counts of a site. They start over a day after the first wrong code: where many people are, some codes are wrong.
fn of_site(row: CodeFailuresRow, now: Time) -> CodeFailuresRow {
    CodeFailuresRow { recent: if now.since(row.recent_since) < DAY { row.recent } else { 0 }, ..row }
}

fn plus_one(row: CodeFailuresRow, now: Time) -> CodeFailuresRow {
    CodeFailuresRow {
        recent: row.recent + 1,
        total: row.total + 1,
        recent_since: if row.recent == 0 { now } else { row.recent_since },
        last_failed_at: now,
        ..row
    }
}

#[cfg(test)]
#[path = "code_failures_tests.rs"]
mod tests;
