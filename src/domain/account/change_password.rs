//! A new password, at its owner's wish.

use super::new_password::password_problem;
use crate::context::App;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::Message;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{SessionId, UserId};
use crate::model::session::EndReason;
use crate::model::verification::Kind;
use crate::store::{StoreError, UserRow};
use secrecy::{ExposeSecret, SecretString};

/// What was typed.
pub struct NewPassword {
    /// The present password; an account that has none asks for another proof before.
    pub current: SecretString,
    /// The new one.
    pub new: SecretString,
    /// Whether the other sessions end.
    pub end_others: bool,
}

/// Why the password was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangePasswordError {
    /// The present password is another one.
    #[error("not the account's password")]
    WrongCurrent,
    /// The new password is not accepted; the reason stands beside the field.
    #[error("the new password is not accepted")]
    NotAccepted(Message),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ChangePasswordError {
    fn from(error: StoreError) -> Self {
        ChangePasswordError::Failed(error.into())
    }
}

/// Changes the password of whoever is logged in with `session`, who thereby also proves again who they are.
///
/// `is_confirmed` says that they proved it already, which is what an account without a password asks for instead.
pub async fn change_password(
    app: &App,
    (user, session): (UserId, SessionId),
    typed: NewPassword,
    is_confirmed: bool,
    by: &By,
) -> Result<(), ChangePasswordError> {
    let stored = app.store.read().await?.user_find(user).await?;
    let stored = stored.ok_or(ChangePasswordError::WrongCurrent)?;
    check(app, &stored, &typed).await?;
    let proved = match &stored.password_hash {
        Some(hash) => app.passwords.verify(typed.current, Some(hash.clone())).await.map_err(Error::from)?.is_right(),
        None => is_confirmed,
    };
    if !proved {
        return Err(ChangePasswordError::WrongCurrent);
    }
    let hash = app.passwords.hash(typed.new).await.map_err(Error::from)?;
    let mut tx = app.store.begin().await?;
    if tx.user_lock_in(user, Some(session)).await?.is_none() {
        return Err(ChangePasswordError::WrongCurrent);
    }
    if !tx.user_set_password_hash(user, stored.password_hash.as_deref(), &hash).await? {
        // It was changed while this one was checked: what was typed as the present one is the past one.
        return Err(ChangePasswordError::WrongCurrent);
    }
    // Whoever asked for a link to set a password, perhaps in the user's mailbox, has lost it now.
    tx.account_tokens_delete_of_user(user, Kind::PasswordReset).await?;
    if typed.end_others {
        tx.sessions_end_others(user, session, EndReason::PasswordSet.as_str()).await?;
    }
    tx.session_set_authenticated(session).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::PasswordChanged, user, by)).await?;
    mail::queue(app, &mut tx, &stored.email, Mail::PasswordChanged { user }).await?;
    tx.commit().await?;
    tracing::info!(user = %user, "password changed");
    Ok(())
}

async fn check(app: &App, user: &UserRow, typed: &NewPassword) -> Result<(), ChangePasswordError> {
    let personal = [user.email.as_str(), user.username.as_str()];
    if let Some(problem) = password_problem(app, &typed.new, &personal).await {
        return Err(ChangePasswordError::NotAccepted(problem.message()));
    }
    if user.password_hash.is_some() && typed.new.expose_secret() == typed.current.expose_secret() {
        return Err(ChangePasswordError::NotAccepted(Message::new("password-same")));
    }
    Ok(())
}
