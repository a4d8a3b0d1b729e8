//! The accounts at providers that a user has connected: listed and removed.

use crate::context::App;
use crate::domain::change::Change;
use crate::domain::ownership::identities;
use crate::domain::provider::working::logs_in;
use crate::error::Error;
use crate::model::ids::{IdentityId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{IdentityRow, ProviderList, Tx};
use std::sync::Arc;

const NO_IDENTITY: Refusal = Refusal::NotFound("identity");

/// Lists the accounts at providers of a user, the oldest first.
pub async fn list(app: &App, principal: &Principal, user: UserId) -> Result<Vec<IdentityRow>, Error> {
    Ok(app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.identities_of_user(user).await?)
}

/// Removes an account at a provider, unless it is the last way in that works now: a password, a passkey, an account at a
/// provider that exists.
pub struct Disconnect {
    pub id: IdentityId,
    /// From before the transaction, as the list may have to be read.
    pub providers: Arc<ProviderList>,
}

impl Change for Disconnect {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let Self { id, providers } = self;
        let works = |row: &IdentityRow| logs_in(&providers, row);
        let account = tx.user_lock_own().await?.ok_or(NO_IDENTITY)?;
        let identities = tx.identities_of_user(account.id).await?;
        let row = identities.iter().find(|row| row.id == id).ok_or(NO_IDENTITY)?;
        let others = identities.iter().filter(|other| other.id != id).any(works);
        let has_own = account.password_hash.is_some() || !tx.passkeys_of_user(account.id).await?.is_empty();
        if works(row) && !others && !has_own {
            return Err(Refusal::rule(Rule::Conflict, "connections-last").into());
        }
        Ok(identities::disconnect(app, tx, &account, row).await?)
    }
}
