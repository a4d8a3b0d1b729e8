//! The second factor of a login, after the password.

use super::complete::{ClientContext, LoginOutcome, StoppedLogin, complete_login};
use super::limited;
use super::pending::{self, Outstanding};
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::mfa::code::{self, SecondFactor, SecondFactorCheck};
use crate::domain::mfa::trusted_devices;
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::metrics::{LoginMethod, LoginResult};
use crate::model::audit::AuditKind;
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::change::AccountChange;
use crate::model::principal::{Operation, Principal};
use crate::rate_limit::RefusedUntil;
use crate::store::{PendingLoginRow, StoreError, Tx, UserRow};

/// The input to complete a pending login.
pub struct SecondFactorAttempt<'a> {
    pub token: &'a str,
    pub factor: SecondFactor<'a>,
    /// Whether to trust this device from now on.
    pub trust_device: bool,
}

/// What follows a right second factor, which is used up either way.
pub enum AfterSecondFactor {
    Session(OpenedSession),
    /// An email address must be verified first.
    VerifyAddress(StoppedLogin),
}

impl AfterSecondFactor {
    const fn result(&self) -> LoginResult {
        match self {
            AfterSecondFactor::Session(_) => LoginResult::Opened,
            AfterSecondFactor::VerifyAddress(_) => LoginResult::Unverified,
        }
    }
}

pub struct CompletedLogin {
    pub user: UserRow,
    pub next: AfterSecondFactor,
    /// The trusted-device token, if the device is to be trusted.
    pub device: Option<LinkToken>,
}

#[derive(Debug, thiserror::Error)]
pub enum SecondFactorError {
    /// No pending login has this token, or it has expired.
    #[error("the pending login has expired")]
    Unknown,
    #[error("a wrong code")]
    Wrong,
    /// The app's code, and used before: the next one is needed.
    #[error("a code that was used")]
    Used,
    /// The second factor is wrong, and that was the last attempt.
    #[error("too many wrong codes")]
    OutOfAttempts,
    /// Too many wrong codes in a row on the account; a recovery code is accepted.
    #[error("codes of the app are not accepted")]
    Refused(RefusedUntil),
    #[error("the user is disabled")]
    Disabled,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl SecondFactorError {
    const fn result(&self) -> LoginResult {
        match self {
            SecondFactorError::Unknown | SecondFactorError::Wrong | SecondFactorError::OutOfAttempts => {
                LoginResult::Wrong
            }
            SecondFactorError::Used => LoginResult::SecondFactorNeeded,
            SecondFactorError::Refused(_) => LoginResult::Limited,
            SecondFactorError::Disabled => LoginResult::Disabled,
            SecondFactorError::Failed(_) => LoginResult::Failed,
        }
    }
}

impl From<StoreError> for SecondFactorError {
    fn from(error: StoreError) -> Self {
        SecondFactorError::Failed(error.into())
    }
}

/// Completes a pending login with the second factor.
pub async fn complete(
    app: &App,
    attempt: SecondFactorAttempt<'_>,
    client: &ClientContext,
) -> Result<CompletedLogin, SecondFactorError> {
    let completed = complete_pending(app, attempt, client).await;
    let result = completed.as_ref().map_or_else(SecondFactorError::result, |login| login.next.result());
    app.metrics.auth.logins.count(LoginMethod::SecondFactor, result);
    completed
}

async fn complete_pending(
    app: &App,
    attempt: SecondFactorAttempt<'_>,
    client: &ClientContext,
) -> Result<CompletedLogin, SecondFactorError> {
    let mut tx = app.store.begin(&client.anonymous(), Operation::PresentSecret).await?;
    let locked = pending::lock_pending_login(app, &mut tx, attempt.token, Outstanding::SecondFactor).await?;
    let (row, user) = locked.ok_or(SecondFactorError::Unknown)?;
    let between_factors = Principal::between_factors(user.id, client.device.clone());
    tx.continue_as(&between_factors, Operation::CompleteLogin)?;
    tx.require_own(user.id)?;
    match code::check_code(app, &mut tx, user.id, attempt.factor).await? {
        SecondFactorCheck::Valid => {}
        SecondFactorCheck::Wrong => {
            let attempts_left = pending::count_failure(&mut tx, &row).await?;
            let wrong = if attempts_left { SecondFactorError::Wrong } else { SecondFactorError::OutOfAttempts };
            let wrong = tx.commit_refusal(wrong).await?;
            app.failed_attempts.record(AuditKind::SecondFactorFailed, Some(user.id), &client.device, app.clock.now());
            return Err(wrong);
        }
        SecondFactorCheck::Used => return Err(SecondFactorError::Used),
        SecondFactorCheck::Refused(until) => {
            limited::record(app, "second_factor", Some(user.id), &client.device);
            return Err(SecondFactorError::Refused(until));
        }
    }
    tx.pending_login_delete(&row.token_hash).await?;
    let now = app.store.database_time();
    let begun = row.begun.clone().unwrap_or_else(|| Authentication::by(AuthMethod::Password, now));
    let authentication = begun.with(attempt.factor.method(), now);
    let next = match complete_login(app, &mut tx, &user, authentication, client).await? {
        LoginOutcome::Session(opened) => AfterSecondFactor::Session(opened),
        LoginOutcome::SecondFactorNeeded(_) => {
            return Err(Error::Inconsistent("a second factor was asked for twice".to_owned()).into());
        }
        LoginOutcome::Unverified(stopped) => {
            tx.continue_as(&client.principal(user.id, None), Operation::LogIn)?;
            AfterSecondFactor::VerifyAddress(stopped)
        }
        LoginOutcome::Disabled => return Err(SecondFactorError::Disabled),
    };
    let device = record(app, &mut tx, &attempt, &row).await?;
    tx.commit().await?;
    Ok(CompletedLogin { user, next, device })
}

/// Records the second factor, and trusts the device if the user wants that.
async fn record(
    app: &App,
    tx: &mut Tx,
    attempt: &SecondFactorAttempt<'_>,
    row: &PendingLoginRow,
) -> Result<Option<LinkToken>, Error> {
    if matches!(attempt.factor, SecondFactor::RecoveryCode(_)) {
        tx.record_account(row.user_id, AccountChange::RecoveryCodeUsed).await?;
    }
    if !attempt.trust_device {
        return Ok(None);
    }
    let device = trusted_devices::trust_device(app, tx, row).await?;
    tx.record_account(row.user_id, AccountChange::DeviceTrusted).await?;
    Ok(Some(device))
}
