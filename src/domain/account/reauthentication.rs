//! Step-up: somebody who is logged in proves again who they are, before what protects the account is changed (OWASP ASVS
//! 5.0, 7.5.1). Each way to prove it is a variant of [`Proof`].

use crate::context::App;
use crate::crypto::passkey::PasskeyError;
use crate::domain::login::password::is_password;
use crate::domain::mfa::passkey::verify::{self, NotShown};
use crate::domain::mfa::passkey::{add, reauthentication};
use crate::error::Error;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::device::Device;
use crate::model::ids::{SessionId, UserId};
use crate::store::StoreError;
use secrecy::SecretString;

/// What is presented.
pub enum Proof<'a> {
    /// The account's password.
    Password(SecretString),
    /// A passkey's answer to [`reauthentication::ask_own`].
    Passkey(add::Answer<'a>),
}

/// Why somebody was not confirmed.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// It is not the account's password, or not a passkey of the account.
    #[error("not the account's password or passkey")]
    Wrong,
    /// The question to the passkey is too old, or was answered before.
    #[error("the question is void")]
    Void,
    /// The session ended meanwhile.
    #[error("the session has ended")]
    SessionEnded,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ConfirmError {
    fn from(error: StoreError) -> Self {
        ConfirmError::Failed(error.into())
    }
}

/// Checks the proof; if it is right, the session counts as just authenticated.
pub async fn confirm(
    app: &App,
    user: UserId,
    session: SessionId,
    proof: Proof<'_>,
    device: &Device,
) -> Result<(), ConfirmError> {
    let passkey = match proof {
        Proof::Passkey(answer) => Some(answer),
        Proof::Password(password) => {
            if !is_password(app, user, password).await? {
                app.failed_tries.note(AuditKind::ConfirmFailed, Some(user), device, app.clock.now());
                return Err(ConfirmError::Wrong);
            }
            None
        }
    };
    let mut tx = app.store.begin().await?;
    if tx.user_lock_in(user, Some(session)).await?.is_none() {
        return Err(ConfirmError::SessionEnded);
    }
    if let Some(answer) = &passkey {
        reauthentication::show(app, &mut tx, user, answer).await.map_err(|error| refuse(app, user, device, error))?;
    }
    if !tx.session_set_authenticated(session).await? {
        return Err(ConfirmError::SessionEnded);
    }
    let by = By::user(user, Some(session), device.clone());
    let detail = if passkey.is_some() { "passkey" } else { "" };
    tx.audit_push(&AuditEntry::new(AuditKind::Confirmed, user, &by).with_detail(detail)).await?;
    tx.commit().await?;
    Ok(())
}

fn refuse(app: &App, user: UserId, device: &Device, error: NotShown) -> ConfirmError {
    match error {
        NotShown::Failed(error) => error.into(),
        NotShown::Refused(error) => {
            verify::note_refused(app, (AuditKind::ConfirmFailed, Some(user)), device, &error);
            if error == PasskeyError::Void { ConfirmError::Void } else { ConfirmError::Wrong }
        }
    }
}
