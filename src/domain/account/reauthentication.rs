//! Step-up: a logged-in user reauthenticates before a change of credentials (OWASP ASVS 5.0, 7.5.1). Each method is a
//! variant of [`Reauthentication`].

use crate::context::App;
use crate::crypto::passkey::PasskeyError;
use crate::domain::login::prompt::{PasswordPrompt, PromptedPassword, is_password};
use crate::domain::mfa::passkey::verify::{self, AssertionError};
use crate::domain::mfa::passkey::{add, reauthentication};
use crate::error::Error;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::model::device::Device;
use crate::model::ids::{SessionId, UserId};
use crate::store::StoreError;
use secrecy::SecretString;

/// The presented credential.
pub enum Reauthentication<'a> {
    /// The account's password.
    Password(SecretString),
    /// A passkey's response to [`reauthentication::reauthentication_challenge`].
    Passkey(add::PasskeyResponse<'a>),
}

/// Why a reauthentication failed.
#[derive(Debug, thiserror::Error)]
pub enum ReauthenticationError {
    /// It is not the account's password, or not a passkey of the account.
    #[error("not the account's password or passkey")]
    Wrong,
    /// The challenge of the passkey has expired, or was used before.
    #[error("the challenge is void")]
    Void,
    /// The session has ended meanwhile.
    #[error("the session has ended")]
    SessionEnded,
    /// An internal error.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ReauthenticationError {
    fn from(error: StoreError) -> Self {
        ReauthenticationError::Failed(error.into())
    }
}

/// Verifies the credential; if it is right, marks the session as just authenticated.
pub async fn confirm(
    app: &App,
    user: UserId,
    session: SessionId,
    credential: Reauthentication<'_>,
    device: &Device,
) -> Result<(), ReauthenticationError> {
    let passkey = match credential {
        Reauthentication::Passkey(response) => Some(response),
        Reauthentication::Password(password) => {
            let prompt = PasswordPrompt::Reauthentication;
            let typed = PromptedPassword { prompt, password, session: Some(session), device };
            if !is_password(app, user, typed).await? {
                return Err(ReauthenticationError::Wrong);
            }
            None
        }
    };
    let mut tx = app.store.begin().await?;
    if tx.user_lock_in(user, Some(session)).await?.is_none() {
        return Err(ReauthenticationError::SessionEnded);
    }
    if let Some(response) = &passkey {
        reauthentication::verify_response(app, &mut tx, user, response)
            .await
            .map_err(|error| refuse(app, user, device, error))?;
    }
    if !tx.session_set_authenticated(session).await? {
        return Err(ReauthenticationError::SessionEnded);
    }
    let actor = Actor::user(user, Some(session), device.clone());
    let detail = if passkey.is_some() { "passkey" } else { "" };
    tx.audit_push(&AuditEntry::new(AuditKind::Confirmed, user, &actor).with_detail(detail)).await?;
    tx.commit().await?;
    Ok(())
}

fn refuse(app: &App, user: UserId, device: &Device, error: AssertionError) -> ReauthenticationError {
    match error {
        AssertionError::Failed(error) => error.into(),
        AssertionError::Refused(error) => {
            verify::record_refused(app, AuditKind::ConfirmFailed, Some(user), device, &error);
            if error == PasskeyError::InvalidChallenge {
                ReauthenticationError::Void
            } else {
                ReauthenticationError::Wrong
            }
        }
    }
}
