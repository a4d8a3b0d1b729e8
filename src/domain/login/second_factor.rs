//! The second half of a log-in: the second factor, after the password.

use super::complete::{Arrival, Entered, Shown, enter};
use super::error::LogInError;
use super::pending;
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::mfa::code::{self, Proof, Worth};
use crate::domain::mfa::trusted_devices;
use crate::domain::session::lifecycle::Opened;
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::store::{StoreError, UserRow};
use std::time::Duration;

/// What is given to finish a log-in.
pub struct Finish<'a> {
    /// The half log-in's token.
    pub token: &'a str,
    /// The second factor.
    pub proof: Proof<'a>,
    /// Whether this device is not to be asked for it again.
    pub remember: bool,
}

/// A log-in just finished.
pub struct Finished {
    /// Whose.
    pub user: UserRow,
    /// The session.
    pub opened: Opened,
    /// The token of the device, if it is to be remembered.
    pub device: Option<LinkToken>,
}

/// Why a log-in was not finished.
#[derive(Debug, thiserror::Error)]
pub enum FinishError {
    /// There is none with this token, or not any more.
    #[error("the log-in has run out")]
    Unknown,
    /// Not the second factor.
    #[error("a wrong code")]
    Wrong,
    /// Not the second factor, and that was the last try.
    #[error("too many wrong codes")]
    OutOfTries,
    /// The account had too many wrong codes lately.
    #[error("too many wrong codes lately")]
    Wait(Duration),
    /// The account had far too many wrong codes: only a recovery code is taken.
    #[error("codes of the app are not taken any more")]
    CodesRefused,
    /// An operator disabled the user meanwhile.
    #[error("the user is disabled")]
    Disabled,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for FinishError {
    fn from(error: StoreError) -> Self {
        FinishError::Failed(error.into())
    }
}

impl From<LogInError> for FinishError {
    fn from(error: LogInError) -> Self {
        match error {
            LogInError::WrongCredentials | LogInError::Unproved(_) => FinishError::Unknown,
            LogInError::Disabled => FinishError::Disabled,
            LogInError::Failed(error) => FinishError::Failed(error),
        }
    }
}

/// Finishes a log-in with the second factor.
pub async fn finish(app: &App, with: Finish<'_>, arrival: &Arrival) -> Result<Finished, FinishError> {
    let mut tx = app.store.begin().await?;
    let locked = pending::lock_half_log_in(app, &mut tx, with.token).await?;
    let (row, user) = locked.ok_or(FinishError::Unknown)?;
    match code::judge(app, &mut tx, user.id, with.proof).await? {
        Worth::Right => {}
        Worth::Wrong => {
            let more = pending::count_try(&mut tx, &row).await?;
            tx.commit().await?;
            app.failed_tries.note(AuditKind::SecondFactorFailed, Some(user.id), &arrival.device, app.clock.now());
            return Err(if more { FinishError::Wrong } else { FinishError::OutOfTries });
        }
        Worth::Wait(wait) => return Err(FinishError::Wait(wait)),
        Worth::Refused => return Err(FinishError::CodesRefused),
    }
    tx.half_log_in_delete(&row.token_hash).await?;
    let Entered::Session(opened) = enter(app, &mut tx, &user, Shown::PasswordAndSecondFactor, arrival).await? else {
        return Err(Error::Inconsistent("a second factor was asked for twice".to_owned()).into());
    };
    let by = By::user(user.id, Some(opened.session_id), arrival.device.clone());
    if matches!(with.proof, Proof::RecoveryCode(_)) {
        tx.audit_push(&AuditEntry::new(AuditKind::RecoveryCodeUsed, user.id, &by)).await?;
    }
    let mut device = None;
    if with.remember {
        device = Some(trusted_devices::remember_device(app, &mut tx, &row).await?);
        tx.audit_push(&AuditEntry::new(AuditKind::DeviceRemembered, user.id, &by)).await?;
    }
    tx.commit().await?;
    tracing::info!(user = %user.id, session = %opened.session_id, "logged in with a second factor");
    Ok(Finished { user, opened, device })
}
