//! Verification of the second factor, with throttling of wrong codes.
//!
//! Wrong codes of the app are counted per account, across browsers ([`APP_CODES`]). Recovery codes cannot be guessed, so
//! they stay available to the owner.

use super::{recovery_codes, totp};
use crate::context::App;
use crate::crypto::totp::CodeMatch;
use crate::error::Error;
use crate::metrics::{Factor, FactorResult};
use crate::model::auth_method::AuthMethod;
use crate::model::ids::UserId;
use crate::rate_limit::{APP_CODES, RefusedUntil};
use crate::store::Tx;

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
    /// Not checked: there were too many wrong codes of the app.
    Refused(RefusedUntil),
}

impl SecondFactorCheck {
    const fn result(&self) -> FactorResult {
        match self {
            SecondFactorCheck::Valid => FactorResult::Right,
            SecondFactorCheck::Wrong => FactorResult::Wrong,
            SecondFactorCheck::Used => FactorResult::Used,
            SecondFactorCheck::Refused(_) => FactorResult::Limited,
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
        SecondFactor::Code(code) => match APP_CODES.refused_until((&row).into(), app.clock.now()) {
            Some(until) => Ok(SecondFactorCheck::Refused(until)),
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
