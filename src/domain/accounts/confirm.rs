//! Step-up: somebody who is logged in proves again who they are, before what protects the account is changed (OWASP ASVS
//! 5.0, 7.5.1). Each way to prove it is a variant of [`Proof`].

use super::log_in::is_password;
use crate::app::App;
use crate::domain::Error;
use crate::domain::audit::{AuditEntry, AuditKind, By};
use crate::domain::ids::{SessionId, UserId};
use crate::domain::sessions::Device;
use crate::store::StoreError;
use secrecy::SecretString;

/// What is presented.
pub enum Proof {
    /// The account's password.
    Password(SecretString),
}

/// Why somebody was not confirmed.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// It is not the account's password.
    #[error("not the account's password")]
    Wrong,
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
    proof: Proof,
    device: &Device,
) -> Result<(), ConfirmError> {
    let right = match proof {
        Proof::Password(password) => is_password(app, user, password).await?,
    };
    if !right {
        app.failed_tries.note(AuditKind::ConfirmFailed, Some(user), device, app.clock.now());
        return Err(ConfirmError::Wrong);
    }
    let mut tx = app.store.begin().await?;
    if !tx.session_set_authenticated(session).await? {
        return Err(ConfirmError::SessionEnded);
    }
    let by = By::user(user, Some(session), device.clone());
    tx.audit_push(&AuditEntry::new(AuditKind::Confirmed, user, &by)).await?;
    tx.commit().await?;
    Ok(())
}
