//! Another username, at its owner's wish.

use super::identity::Username;
use crate::context::App;
use crate::error::Error;
use crate::messages::Message;
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::event::Event;
use crate::model::ids::UserId;
use crate::store::{Constraint, StoreError};

/// Why the username was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeUsernameError {
    /// The name is not accepted; the reason stands beside the field.
    #[error("the username is not accepted")]
    NotAccepted(Message),
    /// There is no such account any more.
    #[error("there is no such account")]
    NoSuchUser,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ChangeUsernameError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Constraint(Constraint::UserUsername) => Self::NotAccepted(Message::new("username-in-use")),
            error => Self::Failed(error.into()),
        }
    }
}

/// Changes a username; `false` if the account has it already.
pub async fn change_username(app: &App, user: UserId, name: &str, by: &By) -> Result<bool, ChangeUsernameError> {
    if name.trim().is_empty() {
        return Err(ChangeUsernameError::NotAccepted(Message::new("username-missing")));
    }
    let name = Username::parse(name).map_err(ChangeUsernameError::NotAccepted)?;
    let mut tx = app.store.begin().await?;
    let stored = tx.user_lock_in(user, by.session()).await?.ok_or(ChangeUsernameError::NoSuchUser)?;
    if stored.username == name.as_str() {
        return Ok(false);
    }
    tx.user_set_username(user, name.as_str(), &name.key()).await?;
    tx.outbox_push(&Event::UserUpdated { user_id: user }).await?;
    let detail = format!("{} → {}", stored.username, name.as_str());
    tx.audit_push(&AuditEntry::new(AuditKind::UsernameChanged, user, by).with_detail(&detail)).await?;
    tx.commit().await?;
    Ok(true)
}
