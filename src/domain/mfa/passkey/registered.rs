//! The passkeys that an account has.

use super::add::check_name;
use crate::context::App;
use crate::error::Error;
use crate::mail::{self, Mail, SignInMethod};
use crate::messages::Message;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{PasskeyId, UserId};
use crate::store::{PasskeyRow, StoreError};

/// The passkeys of an account, the oldest first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<PasskeyRow>, Error> {
    Ok(app.store.read().await?.passkeys_of_user(user).await?)
}

/// One passkey of an account.
pub async fn find(app: &App, user: UserId, id: PasskeyId) -> Result<Option<PasskeyRow>, Error> {
    Ok(app.store.read().await?.passkey_find(user, id).await?)
}

/// Why a passkey stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// The account has no such passkey.
    #[error("there is no such passkey")]
    NotFound,
    /// What was asked for cannot be done.
    #[error("refused")]
    Refused(Message),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for RemoveError {
    fn from(error: StoreError) -> Self {
        RemoveError::Failed(error.into())
    }
}

/// Gives a passkey another name.
pub async fn rename(app: &App, by: &By, user: UserId, id: PasskeyId, name: &str) -> Result<(), RemoveError> {
    let name = check_name(name).map_err(RemoveError::Refused)?;
    let mut tx = app.store.begin().await?;
    if !tx.passkey_rename(user, id, &name).await? {
        return Err(RemoveError::NotFound);
    }
    tx.audit_push(&AuditEntry::new(AuditKind::PasskeyRenamed, user, by).with_detail(&name)).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes a passkey, unless it is the last way to log in.
pub async fn remove(app: &App, by: &By, user: UserId, id: PasskeyId) -> Result<(), RemoveError> {
    let mut tx = app.store.begin().await?;
    let account = tx.user_lock_in(user, by.session()).await?.ok_or(RemoveError::NotFound)?;
    let present = tx.passkeys_of_user(user).await?;
    let row = present.iter().find(|row| row.id == id).ok_or(RemoveError::NotFound)?;
    if account.password_hash.is_none() && present.len() == 1 {
        return Err(RemoveError::Refused(Message::new("passkey-last")));
    }
    tx.passkey_delete(user, id).await?;
    let notice = Mail::SignInMethodRemoved { user, method: SignInMethod::Passkey };
    mail::queue(app, &mut tx, &account.email, notice).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::PasskeyRemoved, user, by).with_detail(&row.name)).await?;
    tx.commit().await?;
    tracing::info!(user = %user, passkey = %id, "passkey removed");
    Ok(())
}
