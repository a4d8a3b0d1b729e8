//! The registered passkeys of an account: list, rename, remove.

use super::add::PasskeyName;
use crate::context::App;
use crate::domain::change::Change;
use crate::domain::provider::working::logs_in;
use crate::error::Error;
use crate::mail::{self, LoginMethod, Notice};
use crate::model::change::AccountChange;
use crate::model::ids::{PasskeyId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{PasskeyRow, ProviderList, Tx};
use std::sync::Arc;

const NO_PASSKEY: Refusal = Refusal::NotFound("passkey");

/// Lists the passkeys of an account, oldest first.
pub async fn list(app: &App, principal: &Principal, user: UserId) -> Result<Vec<PasskeyRow>, Error> {
    Ok(app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.passkeys_of_user(user).await?)
}

pub async fn find(app: &App, principal: &Principal, user: UserId, id: PasskeyId) -> Result<Option<PasskeyRow>, Error> {
    Ok(app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.passkey_find(user, id).await?)
}

pub struct RenamePasskey {
    pub id: PasskeyId,
    pub name: PasskeyName,
}

impl Change for RenamePasskey {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let (user, name) = (tx.require_user()?, self.name.as_str());
        if !tx.passkey_rename(user, self.id, name).await? {
            return Err(NO_PASSKEY.into());
        }
        Ok(tx.record_account(user, AccountChange::PasskeyRenamed(name)).await?)
    }
}

/// Removes a passkey, unless it is the last credential of the account.
pub struct RemovePasskey {
    pub id: PasskeyId,
    /// From before the transaction, as the list may have to be read.
    pub providers: Arc<ProviderList>,
}

impl Change for RemovePasskey {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let account = tx.user_lock_own().await?.ok_or(NO_PASSKEY)?;
        let existing = tx.passkeys_of_user(account.id).await?;
        let row = existing.iter().find(|row| row.id == self.id).ok_or(NO_PASSKEY)?;
        let has_others = account.password_hash.is_some()
            || existing.len() > 1
            || tx.identities_of_user(account.id).await?.iter().any(|identity| logs_in(&self.providers, identity));
        if !has_others {
            return Err(Refusal::rule(Rule::Conflict, "passkey-last").into());
        }
        tx.passkey_delete(account.id, row.id).await?;
        tx.record_account(account.id, AccountChange::PasskeyRemoved(Some(&row.name))).await?;
        let notice = Notice::LoginMethodRemoved(LoginMethod::Passkey);
        Ok(mail::notify_of(app, tx, &account, notice, Some(&row.name)).await?)
    }
}
