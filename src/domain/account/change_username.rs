//! Change of the username by its owner.

use crate::context::App;
use crate::domain::identity::identifiers::Username;
use crate::domain::identity::reserved_name::rename;
use crate::error::Error;
use crate::messages::Message;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::store::{Constraint, StoreError};

/// Why the username or the display name was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeNameError {
    /// The name is not accepted, with the message for the field.
    #[error("the name is not accepted")]
    NotAccepted(Message),
    #[error("there is no such account")]
    NoSuchUser,
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ChangeNameError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Constraint(Constraint::UserUsername) => Self::NotAccepted(Message::new("username-in-use")),
            error => Self::Failed(error.into()),
        }
    }
}

/// Changes a username. Returns `false` if the account has it already.
pub async fn change_username(
    app: &App,
    user: UserId,
    name: &str,
    principal: &Principal,
) -> Result<bool, ChangeNameError> {
    if name.trim().is_empty() {
        return Err(ChangeNameError::NotAccepted(Message::new("username-missing")));
    }
    let name = Username::parse(name).map_err(ChangeNameError::NotAccepted)?;
    let mut tx = app.store.begin(principal, Operation::ChangeOwnAccount).await?;
    let stored = tx.user_lock_in(user, principal.actor().session()).await?.ok_or(ChangeNameError::NoSuchUser)?;
    tx.require_own(user)?;
    if !rename(app, &mut tx, &stored, &name).await? {
        return Ok(false);
    }
    tx.commit().await?;
    Ok(true)
}
