//! The second factor of a login, after the password.

use super::complete::{AuthMethod, ClientContext, LoginOutcome, complete_login};
use super::error::LoginError;
use super::pending;
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::mfa::code::{self, SecondFactor, SecondFactorCheck};
use crate::domain::mfa::trusted_devices;
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::store::{StoreError, UserRow};
use std::time::Duration;

/// The input to complete a pending login.
pub struct SecondFactorAttempt<'a> {
    /// The pending login's token.
    pub token: &'a str,
    /// The second factor.
    pub factor: SecondFactor<'a>,
    /// Whether to trust this device from now on.
    pub trust_device: bool,
}

/// A completed login.
pub struct CompletedLogin {
    /// The user.
    pub user: UserRow,
    /// The session.
    pub opened: OpenedSession,
    /// The trusted-device token, if the device is to be trusted.
    pub device: Option<LinkToken>,
}

/// Why a login was not completed.
#[derive(Debug, thiserror::Error)]
pub enum SecondFactorError {
    /// No pending login has this token, or it has expired.
    #[error("the pending login has expired")]
    Unknown,
    /// The second factor is wrong.
    #[error("a wrong code")]
    Wrong,
    /// The second factor is wrong, and that was the last attempt.
    #[error("too many wrong codes")]
    OutOfAttempts,
    /// Too many recent wrong codes on the account; retry after this time.
    #[error("too many wrong codes lately")]
    Throttled(Duration),
    /// Too many wrong codes in a row on the account: only a recovery code is accepted.
    #[error("codes of the app are no longer accepted")]
    LockedOut,
    /// An operator disabled the user meanwhile.
    #[error("the user is disabled")]
    Disabled,
    /// An internal error.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for SecondFactorError {
    fn from(error: StoreError) -> Self {
        SecondFactorError::Failed(error.into())
    }
}

impl From<LoginError> for SecondFactorError {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::WrongCredentials | LoginError::Unverified(_) => SecondFactorError::Unknown,
            LoginError::Disabled => SecondFactorError::Disabled,
            LoginError::Failed(error) => SecondFactorError::Failed(error),
        }
    }
}

/// Completes a pending login with the second factor.
pub async fn complete(
    app: &App,
    attempt: SecondFactorAttempt<'_>,
    client: &ClientContext,
) -> Result<CompletedLogin, SecondFactorError> {
    let mut tx = app.store.begin().await?;
    let locked = pending::lock_pending_login(app, &mut tx, attempt.token).await?;
    let (row, user) = locked.ok_or(SecondFactorError::Unknown)?;
    match code::check_code(app, &mut tx, user.id, attempt.factor).await? {
        SecondFactorCheck::Valid => {}
        SecondFactorCheck::Wrong => {
            let attempts_left = pending::count_failure(&mut tx, &row).await?;
            tx.commit().await?;
            app.failed_attempts.record(AuditKind::SecondFactorFailed, Some(user.id), &client.device, app.clock.now());
            return Err(if attempts_left { SecondFactorError::Wrong } else { SecondFactorError::OutOfAttempts });
        }
        SecondFactorCheck::Throttled(wait) => return Err(SecondFactorError::Throttled(wait)),
        SecondFactorCheck::LockedOut => return Err(SecondFactorError::LockedOut),
    }
    tx.pending_login_delete(&row.token_hash).await?;
    let LoginOutcome::Session(opened) =
        complete_login(app, &mut tx, &user, AuthMethod::PasswordAndSecondFactor, client).await?
    else {
        return Err(Error::Inconsistent("a second factor was asked for twice".to_owned()).into());
    };
    let actor = Actor::user(user.id, Some(opened.session_id), client.device.clone());
    if matches!(attempt.factor, SecondFactor::RecoveryCode(_)) {
        tx.audit_push(&AuditEntry::new(AuditKind::RecoveryCodeUsed, user.id, &actor)).await?;
    }
    let mut device = None;
    if attempt.trust_device {
        device = Some(trusted_devices::trust_device(app, &mut tx, &row).await?);
        tx.audit_push(&AuditEntry::new(AuditKind::DeviceTrusted, user.id, &actor)).await?;
    }
    tx.commit().await?;
    tracing::info!(user = %user.id, session = %opened.session_id, "logged in with a second factor");
    Ok(CompletedLogin { user, opened, device })
}
