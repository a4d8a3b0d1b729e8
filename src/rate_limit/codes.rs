//! Wrong mailed codes, counted for the address that a code verifies, and for the site that it was typed from.
//!
//! A code of six digits can be guessed, and a hit verifies the address of someone else. So the counts belong to the
//! address and not to the mail, the signup or the account that a code was for: they outlive all of these, and signups,
//! verifications and changes of addresses share them, as their codes show the same. Links cannot be guessed, and work at
//! any time.
//!
//! Codes that confirm a person in a session count apart, by account: a stranger's signups must not use them up.

use super::failures::{CODES_FOR_ACCOUNT, CODES_FOR_ADDRESS, CODES_FROM_SITE, FailureLimit, Failures, MONTH};
use super::limiter::RateLimiter;
use crate::crypto::keyed_hash::LimitKey;
use crate::model::ids::UserId;
use crate::model::network::site;
use crate::model::time::Time;
use crate::store::{CodeFailuresRow, StoreError, Tx};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

/// How long wrong codes are counted after the last one.
pub const CODE_FAILURE_RETENTION: Duration = MONTH;

/// What the wrong ones of a code count for.
#[derive(Clone, Copy, Debug)]
pub enum CountedFor<'a> {
    /// The folded address, and the site of the client's address.
    Address(&'a str, IpAddr),
    Account(UserId),
}

/// The wrong codes that count for a code that was typed.
pub struct CodeFailures {
    own: CodeFailuresRow,
    /// Of a day, and of a month.
    limits: [FailureLimit; 2],
    site: Option<CodeFailuresRow>,
    now: Time,
}

impl RateLimiter {
    /// Reads the counts and locks those of the address or the account: its codes are checked one after the other.
    ///
    /// Those of the site are not locked before a wrong code is counted, so that a site does not wait for itself.
    pub async fn lock_code_failures(&self, tx: &mut Tx, counted: CountedFor<'_>) -> Result<CodeFailures, StoreError> {
        let now = self.clock.now();
        let (id, limits, site) = match counted {
            CountedFor::Address(email_key, from) => {
                (id_of_address(&self.key, email_key), CODES_FOR_ADDRESS, Some(id_of_site(&self.key, from)))
            }
            CountedFor::Account(user) => (id_of_account(&self.key, user), CODES_FOR_ACCOUNT, None),
        };
        let own = tx.code_failures_lock(id).await?;
        let site = match site {
            Some(id) => Some(tx.code_failures_find(id).await?),
            None => None,
        };
        Ok(CodeFailures { own, limits, site, now })
    }
}

impl CodeFailures {
    /// Whether no code is accepted, not even the right one.
    pub fn are_too_many(&self) -> bool {
        let refuses = |limit: FailureLimit, failures| limit.refused_until(failures, self.now).is_some();
        let [day, month] = self.limits;
        refuses(day, recent(&self.own))
            || refuses(month, total(&self.own))
            || self.site.is_some_and(|site| refuses(CODES_FROM_SITE, recent_of_site(&site)))
    }

    /// Counts a wrong code. Call it last before the commit.
    pub async fn count_one(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        if let Some(site) = &mut self.site {
            *site = tx.code_failures_lock(site.id).await?;
        }
        self.add_one();
        if let Some(site) = &self.site {
            tx.code_failures_write(site).await?;
        }
        tx.code_failures_write(&self.own).await
    }

    fn add_one(&mut self) {
        let ([day, month], now) = (self.limits, self.now);
        self.own = one_more(self.own, day.counted(recent(&self.own), now), month.counted(total(&self.own), now), now);
        self.site =
            self.site.map(|site| one_more(site, CODES_FROM_SITE.counted(recent_of_site(&site), now), site.total, now));
    }
}

pub(super) fn id_of_address(key: &LimitKey, email_key: &str) -> Uuid {
    key.id("wrong codes", &[b"email verification", email_key.as_bytes()])
}

pub(super) fn id_of_account(key: &LimitKey, user: UserId) -> Uuid {
    key.id("wrong codes", &[b"confirmation", user.0.as_bytes()])
}

fn id_of_site(key: &LimitKey, from: IpAddr) -> Uuid {
    key.id("wrong codes from", &[site(from).to_string().as_bytes()])
}

/// Of an address or an account: they start over a day after the last wrong code, so that no day holds more than the
/// maximum, whenever it begins.
fn recent(row: &CodeFailuresRow) -> Failures {
    Failures { count: row.recent, at: row.last_failed_at }
}

fn total(row: &CodeFailuresRow) -> Failures {
    Failures { count: row.total, at: row.last_failed_at }
}

/// Of a site: they start over a day after the first wrong code, as where many people are, some codes are wrong.
fn recent_of_site(row: &CodeFailuresRow) -> Failures {
    Failures { count: row.recent, at: row.recent_since }
}

/// The row after another wrong code, beside these that count.
fn one_more(row: CodeFailuresRow, recent: i64, total: i64, now: Time) -> CodeFailuresRow {
    let recent_since = if recent == 0 { now } else { row.recent_since };
    CodeFailuresRow { recent: recent + 1, total: total + 1, recent_since, last_failed_at: now, ..row }
}

#[cfg(test)]
#[path = "codes_tests.rs"]
mod tests;
