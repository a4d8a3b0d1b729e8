//! Wrong codes, counted for the address that a code verifies, and for the site that it was typed from.
//!
//! A code of six digits can be guessed, and a hit verifies the address of someone else. So the counts belong to the
//! address and not to the mail, the signup or the account that a code was for: they outlive all of these, and signups,
//! verifications and changes of addresses share them, as their codes show the same. They are no rate limits, and hold
//! with `SVC_RATE_LIMIT=off`. Links cannot be guessed, and work at any time.

use crate::context::App;
use crate::model::network::site;
use crate::model::time::Time;
use crate::store::{AccountTokenRow, CodeFailuresRow, StoreError, Tx};
use std::net::IpAddr;
use std::time::Duration;
use uuid::Uuid;

/// How long wrong codes are counted after the last one.
pub const CODE_FAILURE_RETENTION: Duration = Duration::from_hours(30 * 24);
const DAY: Duration = Duration::from_hours(24);
/// Wrong codes for one address in a day.
const MAX_OF_DAY: i64 = 50;
/// Wrong codes for one address in 30 days (NIST SP 800-63B-4, 3.2.2).
const MAX_OF_MONTH: i64 = 100;
/// Wrong codes from one site in the day that begins with the first: many people may share a site.
const MAX_FROM_SITE: i64 = 1000;

/// The wrong codes that count for a code that was typed.
pub(super) struct CodeFailures {
    address: CodeFailuresRow,
    site: CodeFailuresRow,
    now: Time,
}

impl CodeFailures {
    /// Reads the counts and locks those of the address: codes for one address are checked one after the other.
    ///
    /// Those of the site are not locked before a wrong code is counted, so that a site does not wait for itself.
    pub(super) async fn lock(
        app: &App,
        tx: &mut Tx,
        token: &AccountTokenRow,
        from: IpAddr,
    ) -> Result<Self, StoreError> {
        let site = app.secret_keys.limit_key().id("wrong codes from", &[site(from).to_string().as_bytes()]);
        let now = app.clock.now();
        let address = tx.code_failures_lock(id_of_address(app, &token.email_key)).await?;
        let site = tx.code_failures_find(site).await?;
        Ok(Self { address: of_address(address, now), site: of_site(site, now), now })
    }

    /// Whether no code is accepted, not even the right one.
    pub(super) const fn are_too_many(&self) -> bool {
        self.address.recent >= MAX_OF_DAY || self.address.total >= MAX_OF_MONTH || self.site.recent >= MAX_FROM_SITE
    }

    /// Counts a wrong code. Call it last before the commit.
    pub(super) async fn count_one(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        let site = tx.code_failures_lock(self.site.id).await?;
        self.site = plus_one(of_site(site, self.now), self.now);
        self.address = plus_one(self.address, self.now);
        tx.code_failures_write(&self.site).await?;
        tx.code_failures_write(&self.address).await
    }
}

/// Forgets the wrong codes for an address; `false` if there were none. For an operator who knows whose it is.
pub(in crate::domain) async fn forget(app: &App, tx: &mut Tx, email_key: &str) -> Result<bool, StoreError> {
    tx.code_failures_delete(id_of_address(app, email_key)).await
}

fn id_of_address(app: &App, email_key: &str) -> Uuid {
    app.secret_keys.limit_key().id("wrong codes", &[b"email verification", email_key.as_bytes()])
}

/// The counts of an address. They start over once a day, or a month, has passed since the last wrong code: so no day
/// holds more than the maximum, whenever it begins.
fn of_address(row: CodeFailuresRow, now: Time) -> CodeFailuresRow {
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
