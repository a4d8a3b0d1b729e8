//! The accounts at providers that a user has connected: listed and removed.

use crate::context::App;
use crate::domain::ownership::identities;
use crate::domain::provider::working::logs_in;
use crate::error::Error;
use crate::messages::Message;
use crate::model::ids::{IdentityId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::store::{IdentityRow, StoreError};

/// Lists the accounts at providers of a user, the oldest first.
pub async fn list(app: &App, principal: &Principal, user: UserId) -> Result<Vec<IdentityRow>, Error> {
    Ok(app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.identities_of_user(user).await?)
}

/// Why an account at a provider was not removed.
#[derive(Debug, thiserror::Error)]
pub enum DisconnectError {
    #[error("there is no such account at a provider")]
    NotFound,
    /// It is the last way in that works now.
    #[error("{}", .0.english())]
    LastWayIn(Message),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for DisconnectError {
    fn from(error: StoreError) -> Self {
        DisconnectError::Failed(error.into())
    }
}

/// Removes an account at a provider, unless it is the last way in that works now: a password, a passkey, an account at a
/// provider that exists.
pub async fn remove(app: &App, principal: &Principal, user: UserId, id: IdentityId) -> Result<(), DisconnectError> {
    // Before the transaction: the list may have to be read.
    let providers = app.store.providers().await?;
    let works = |row: &IdentityRow| logs_in(&providers, row);
    let mut tx = app.store.begin(principal, Operation::ChangeFactors).await?;
    let account = tx.user_lock_in(user, principal.actor().session()).await?.ok_or(DisconnectError::NotFound)?;
    tx.require_own(user)?;
    let identities = tx.identities_of_user(user).await?;
    let row = identities.iter().find(|row| row.id == id).ok_or(DisconnectError::NotFound)?;
    let others = identities.iter().filter(|other| other.id != id).any(works);
    let has_own = account.password_hash.is_some() || !tx.passkeys_of_user(user).await?.is_empty();
    if works(row) && !others && !has_own {
        return Err(DisconnectError::LastWayIn(Message::new("connections-last")));
    }
    identities::disconnect(app, &mut tx, &account, row).await?;
    Ok(tx.commit().await?)
}
