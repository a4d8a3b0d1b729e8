//! The registered passkeys of an account: list, rename, remove.

use super::add::check_name;
use crate::context::App;
use crate::error::Error;
use crate::mail::{self, LoginMethod, Notice};
use crate::messages::Message;
use crate::model::audit::{Actor, AuditEntry, AuditKind};
use crate::model::ids::{PasskeyId, UserId};
use crate::store::{PasskeyRow, StoreError};

/// Lists the passkeys of an account, oldest first.
pub async fn list(app: &App, user: UserId) -> Result<Vec<PasskeyRow>, Error> {
    Ok(app.store.read().await?.passkeys_of_user(user).await?)
}

/// Finds a passkey of an account.
pub async fn find(app: &App, user: UserId, id: PasskeyId) -> Result<Option<PasskeyRow>, Error> {
    Ok(app.store.read().await?.passkey_find(user, id).await?)
}

/// Why a passkey was not renamed or removed.
#[derive(Debug, thiserror::Error)]
pub enum RemoveError {
    /// The account has no such passkey.
    #[error("there is no such passkey")]
    NotFound,
    /// The request is not valid.
    #[error("refused")]
    Refused(Message),
    /// An internal error.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for RemoveError {
    fn from(error: StoreError) -> Self {
        RemoveError::Failed(error.into())
    }
}

/// Renames a passkey.
pub async fn rename(app: &App, actor: &Actor, user: UserId, id: PasskeyId, name: &str) -> Result<(), RemoveError> {
    let name = check_name(name).map_err(RemoveError::Refused)?;
    let mut tx = app.store.begin().await?;
    if !tx.passkey_rename(user, id, &name).await? {
        return Err(RemoveError::NotFound);
    }
    tx.audit_push(&AuditEntry::new(AuditKind::PasskeyRenamed, user, actor).with_detail(&name)).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes a passkey, unless it is the last credential of the account.
pub async fn remove(app: &App, actor: &Actor, user: UserId, id: PasskeyId) -> Result<(), RemoveError> {
    let mut tx = app.store.begin().await?;
    let account = tx.user_lock_in(user, actor.session()).await?.ok_or(RemoveError::NotFound)?;
    let existing = tx.passkeys_of_user(user).await?;
    let row = existing.iter().find(|row| row.id == id).ok_or(RemoveError::NotFound)?;
    if account.password_hash.is_none() && existing.len() == 1 {
        return Err(RemoveError::Refused(Message::new("passkey-last")));
    }
    tx.passkey_delete(user, id).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::PasskeyRemoved, user, actor).with_detail(&row.name)).await?;
    let notice = Notice::LoginMethodRemoved(LoginMethod::Passkey);
    mail::notify(app, &mut tx, &account, notice).await?;
    tx.commit().await?;
    tracing::info!(user = %user, passkey = %id, "passkey removed");
    Ok(())
}
