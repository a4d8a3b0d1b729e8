//! Wrong secrets: how many are judged, and how long the next try then waits. Every such limit stands in this file.
//!
//! A count stands where it ends with what it is about: of passwords in `limits`, of an authenticator app in `totp`, of all
//! mailed codes for an address, an account or a site in `code_failures`, of one mailed code and of one pending login in
//! their own rows. All but those of passwords hold with `SVC_RATE_LIMIT=off`.

use crate::model::time::Time;
use crate::store::{LimitRow, TotpRow};
use std::time::Duration;

/// How many wrong secrets in a row are judged, and how long the next try waits.
#[derive(Clone, Copy, Debug)]
pub struct FailureLimit {
    /// The number of failures without a wait.
    pub free: i64,
    /// The wait from then on, which doubles with each failure up to the second.
    pub(super) waits: [Duration; 2],
    /// A number of failures, and the wait from then on.
    pub(super) last: Option<(i64, Duration)>,
    retention: Retention,
}

/// How long failures are remembered.
#[derive(Clone, Copy, Debug)]
enum Retention {
    Whole(Duration),
    /// For this time for each of them, at most for each that is free. Waiting until a few are forgotten gives an attacker
    /// no more tries a month. A name with few failures is forgotten sooner, so that an attacker who tries many names
    /// fills less of the table.
    PerFailure(Duration),
}

const DAY: Duration = Duration::from_hours(24);
pub(super) const MONTH: Duration = Duration::from_hours(30 * 24);
/// The wait that only what clears the failures ends.
pub(super) const UNTIL_CLEARED: Duration = Duration::MAX;

/// Passwords from one network, at one name. What is forgotten after a day still counts for the name.
pub(super) const PER_NAME_AND_NETWORK: FailureLimit = FailureLimit {
    free: 10,
    waits: [Duration::from_secs(15), Duration::from_mins(15)],
    last: None,
    retention: Retention::Whole(DAY),
};
/// Passwords at one name, from networks without a recent login to its account.
pub(super) const PER_NAME: FailureLimit = FailureLimit {
    free: 10,
    waits: [Duration::from_secs(1), Duration::from_hours(2)],
    last: Some((50, DAY)),
    retention: Retention::PerFailure(Duration::from_hours(9 * 24)),
};
/// Codes of one authenticator app, across browsers, until a right one or a recovery code, which cannot be guessed. Three of
/// a million are valid at a time: the hundred guesses (NIST SP 800-63B-4, 3.2.2) succeed for one in 3,333 accounts whose
/// password is known.
pub const APP_CODES: FailureLimit = FailureLimit {
    free: 10,
    waits: [Duration::from_secs(30), Duration::from_hours(1)],
    last: Some((100, UNTIL_CLEARED)),
    retention: Retention::Whole(UNTIL_CLEARED),
};
/// Mailed codes for one address, in a day and in a month (NIST SP 800-63B-4, 3.2.2).
pub(super) const CODES_FOR_ADDRESS: [FailureLimit; 2] =
    [FailureLimit::within(DAY, 50), FailureLimit::within(MONTH, 100)];
/// Mailed codes that confirm the person of a session: only that person types these, or someone at the same browser.
pub(super) const CODES_FOR_ACCOUNT: [FailureLimit; 2] =
    [FailureLimit::within(DAY, 20), FailureLimit::within(MONTH, 50)];
/// Mailed codes from one site, in the day that begins with the first: many people may share a site.
pub(super) const CODES_FROM_SITE: FailureLimit = FailureLimit::within(DAY, 1000);
/// One mailed code, until the next email has another (docs/reference/browser.md 10).
pub const ONE_CODE: FailureLimit = FailureLimit::of_one_secret(5);
/// Second factors of one pending login, until the login starts again with the password.
pub const ONE_PENDING_LOGIN: FailureLimit = FailureLimit::of_one_secret(5);

/// Failures as they are stored.
#[derive(Clone, Copy, Debug)]
pub struct Failures {
    pub(super) count: i64,
    /// When the last one was counted, or the first where a period begins with it.
    pub(super) at: Time,
}

impl From<&TotpRow> for Failures {
    fn from(row: &TotpRow) -> Self {
        Self { count: row.failures, at: row.failed_at.unwrap_or(Time::NEVER) }
    }
}

/// How long no try is judged, not even a right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedUntil {
    Time(Time),
    /// Until the failures are cleared.
    Cleared,
}

impl FailureLimit {
    /// Of a secret that takes its count with it when another replaces it.
    const fn of_one_secret(max: i64) -> Self {
        Self { free: max, waits: [UNTIL_CLEARED; 2], last: None, retention: Retention::Whole(UNTIL_CLEARED) }
    }

    /// At most `max`, until this period has passed since [`Failures::at`].
    const fn within(period: Duration, max: i64) -> Self {
        Self { free: max, waits: [period; 2], last: None, retention: Retention::Whole(period) }
    }

    /// How many more failures have no wait, after this number.
    pub fn left(&self, failures: i64) -> i64 {
        (self.free - failures).max(0)
    }

    /// Until when no try is judged.
    pub fn refused_until(&self, failures: Failures, now: Time) -> Option<RefusedUntil> {
        let wait = self.wait_after(self.counted(failures, now));
        if wait == UNTIL_CLEARED {
            return Some(RefusedUntil::Cleared);
        }
        let until = failures.at + wait;
        (now < until).then_some(RefusedUntil::Time(until))
    }

    /// How many of these failures are not forgotten.
    pub(super) fn counted(&self, failures: Failures, now: Time) -> i64 {
        if now.since(failures.at) < self.retention_after(failures.count) { failures.count } else { 0 }
    }

    /// The row after one more try, which counts as failed until it has succeeded.
    pub(super) fn fail(&self, row: LimitRow, now: Time) -> LimitRow {
        let failures = row.failures + 1;
        let at = now + self.wait_after(failures);
        LimitRow { at, failures, expires_at: at.max(now + self.retention_after(failures)), ..row }
    }

    fn wait_after(&self, failures: i64) -> Duration {
        let [min, max] = self.waits;
        match self.last {
            Some((from, wait)) if failures >= from => wait,
            _ if failures < self.free => Duration::ZERO,
            _ => {
                let doublings = u32::try_from(failures - self.free).unwrap_or(u32::MAX).min(30);
                min.saturating_mul(1 << doublings).min(max)
            }
        }
    }

    fn retention_after(&self, failures: i64) -> Duration {
        match self.retention {
            Retention::Whole(time) => time,
            Retention::PerFailure(time) => time * u32::try_from(failures.min(self.free)).unwrap_or(u32::MAX),
        }
    }
}

#[cfg(test)]
#[path = "failures_tests.rs"]
mod tests;
