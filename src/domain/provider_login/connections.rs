//! The accounts at providers that a user has connected: listed and removed.

use crate::context::App;
use crate::domain::ownership::identities;
use crate::domain::provider::working::logs_in;
use crate::error::Error;
use crate::model::ids::{IdentityId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::IdentityRow;

const NO_IDENTITY: Refusal = Refusal::NotFound("identity");

/// Lists the accounts at providers of a user, the oldest first.
pub async fn list(app: &App, principal: &Principal, user: UserId) -> Result<Vec<IdentityRow>, Error> {
    Ok(app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.identities_of_user(user).await?)
}

/// Removes an account at a provider, unless it is the last way in that works now: a password, a passkey, an account at a
/// provider that exists.
pub async fn remove(app: &App, principal: &Principal, user: UserId, id: IdentityId) -> Result<(), ChangeError> {
    // Before the transaction: the list may have to be read.
    let providers = app.store.providers().await?;
    let works = |row: &IdentityRow| logs_in(&providers, row);
    let mut tx = app.store.begin(principal, Operation::ChangeFactors).await?;
    let account = tx.user_lock_in(user, principal.actor().session()).await?.ok_or(NO_IDENTITY)?;
    tx.require_own(user)?;
    let identities = tx.identities_of_user(user).await?;
    let row = identities.iter().find(|row| row.id == id).ok_or(NO_IDENTITY)?;
    let others = identities.iter().filter(|other| other.id != id).any(works);
    let has_own = account.password_hash.is_some() || !tx.passkeys_of_user(user).await?.is_empty();
    if works(row) && !others && !has_own {
        return Err(Refusal::rule(Rule::Conflict, "connections-last").into());
    }
    identities::disconnect(app, &mut tx, &account, row).await?;
    Ok(tx.commit().await?)
}
