//! Verification of the second factor, with throttling of wrong codes.
//!
//! A code of six digits can be guessed: three are valid at a time, so one guess in 333,333 succeeds. Wrong codes are
//! therefore counted per account in the database, across browsers: ten without delay, then with a backoff of up to an
//! hour, and after a hundred in a row the app's codes are no longer accepted (NIST SP 800-63B-4, 3.2.2). All guesses
//! together succeed for one in 3,333 accounts whose password is known. Recovery codes cannot be guessed, so they stay
//! available to the owner.

use super::{recovery_codes, totp};
use crate::context::App;
use crate::crypto::totp::CodeMatch;
use crate::error::Error;
use crate::metrics::{Factor, FactorResult};
use crate::model::auth_method::AuthMethod;
use crate::model::ids::UserId;
use crate::model::time::Time;
use crate::store::{TotpRow, Tx};
use std::time::Duration;

/// Wrong codes in a row before the backoff begins.
const MAX_UNDELAYED_FAILURES: i64 = 10;
/// Wrong codes in a row after which no code is accepted.
const MAX_FAILURES: i64 = 100;
const MIN_BACKOFF: Duration = Duration::from_secs(30);
const MAX_BACKOFF: Duration = Duration::from_hours(1);

#[derive(Clone, Copy)]
pub enum SecondFactor<'a> {
    Code(&'a str),
    RecoveryCode(&'a str),
}

impl SecondFactor<'_> {
    /// What a session notes of it.
    pub(in crate::domain) const fn method(&self) -> AuthMethod {
        match self {
            SecondFactor::Code(_) => AuthMethod::Totp,
            SecondFactor::RecoveryCode(_) => AuthMethod::RecoveryCode,
        }
    }

    const fn counted(&self) -> Factor {
        match self {
            SecondFactor::Code(_) => Factor::Totp,
            SecondFactor::RecoveryCode(_) => Factor::RecoveryCode,
        }
    }
}

/// The result of the check of a second factor.
pub(in crate::domain) enum SecondFactorCheck {
    /// Valid, and consumed.
    Valid,
    /// Wrong. The transaction counts the failure, so it must be committed.
    Wrong,
    /// The app's code, and used before. It is not counted: nobody guesses what was used.
    Used,
    /// Not checked: the next attempt is allowed after this time.
    Throttled(Duration),
    /// Not checked: codes of the app are no longer accepted.
    LockedOut,
}

impl SecondFactorCheck {
    const fn result(&self) -> FactorResult {
        match self {
            SecondFactorCheck::Valid => FactorResult::Right,
            SecondFactorCheck::Wrong => FactorResult::Wrong,
            SecondFactorCheck::Used => FactorResult::Used,
            SecondFactorCheck::Throttled(_) | SecondFactorCheck::LockedOut => FactorResult::Limited,
        }
    }
}

/// Checks the second factor of a user whom the transaction has locked.
pub(in crate::domain) async fn check_code(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    factor: SecondFactor<'_>,
) -> Result<SecondFactorCheck, Error> {
    let check = check(app, tx, user, factor).await?;
    app.metrics.auth.factor_checks.count(factor.counted(), check.result());
    Ok(check)
}

async fn check(app: &App, tx: &mut Tx, user: UserId, factor: SecondFactor<'_>) -> Result<SecondFactorCheck, Error> {
    let Some(row) = tx.totp_find(user).await?.filter(|row| row.confirmed_at.is_some()) else {
        return Ok(SecondFactorCheck::Wrong);
    };
    match factor {
        SecondFactor::RecoveryCode(typed) => {
            if !recovery_codes::accept(app, tx, user, typed).await? {
                return Ok(SecondFactorCheck::Wrong);
            }
            tx.totp_reset_failures(user).await?;
            Ok(SecondFactorCheck::Valid)
        }
        SecondFactor::Code(_) if row.failures >= MAX_FAILURES => Ok(SecondFactorCheck::LockedOut),
        SecondFactor::Code(code) => match remaining_backoff(&row, app.clock.now()) {
            Some(remaining) => Ok(SecondFactorCheck::Throttled(remaining)),
            None => match totp::check(app, tx, &row, code).await? {
                CodeMatch::Unused(_) => Ok(SecondFactorCheck::Valid),
                CodeMatch::Used => Ok(SecondFactorCheck::Used),
                CodeMatch::Wrong => {
                    tx.totp_count_failure(user).await?;
                    Ok(SecondFactorCheck::Wrong)
                }
            },
        },
    }
}

/// The time until the next code is accepted.
fn remaining_backoff(row: &TotpRow, now: Time) -> Option<Duration> {
    let failed_at = row.failed_at?;
    let doublings = u32::try_from(row.failures - MAX_UNDELAYED_FAILURES).ok()?;
    let backoff = MIN_BACKOFF.saturating_mul(1_u32.checked_shl(doublings).unwrap_or(u32::MAX)).min(MAX_BACKOFF);
    let remaining = backoff.saturating_sub(now.since(failed_at));
    (!remaining.is_zero()).then_some(remaining)
}

/// Whether the codes of an account's app are refused now, unseen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeLock {
    Until(Time),
    /// Until a recovery code is used, or the second factor is reset.
    UntilReset,
}

/// Whether the codes of this app are refused now.
pub(in crate::domain) fn code_lock(row: &TotpRow, now: Time) -> Option<CodeLock> {
    if row.failures >= MAX_FAILURES {
        return Some(CodeLock::UntilReset);
    }
    remaining_backoff(row, now).map(|remaining| CodeLock::Until(now + remaining))
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
