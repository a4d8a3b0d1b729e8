//! The registered passkeys of an account: list, rename, remove.

use super::add::check_name;
use crate::context::App;
use crate::domain::provider::working::logs_in;
use crate::error::Error;
use crate::mail::{self, LoginMethod, Notice};
use crate::model::change::AccountChange;
use crate::model::ids::{PasskeyId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::PasskeyRow;

const NO_PASSKEY: Refusal = Refusal::NotFound("passkey");

/// Lists the passkeys of an account, oldest first.
pub async fn list(app: &App, principal: &Principal, user: UserId) -> Result<Vec<PasskeyRow>, Error> {
    Ok(app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.passkeys_of_user(user).await?)
}

pub async fn find(app: &App, principal: &Principal, user: UserId, id: PasskeyId) -> Result<Option<PasskeyRow>, Error> {
    Ok(app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.passkey_find(user, id).await?)
}

pub async fn rename(
    app: &App,
    principal: &Principal,
    user: UserId,
    id: PasskeyId,
    name: &str,
) -> Result<(), ChangeError> {
    let name = check_name(name)?;
    let mut tx = app.store.begin(principal, Operation::ChangeFactors).await?;
    tx.require_own(user)?;
    if !tx.passkey_rename(user, id, &name).await? {
        return Err(NO_PASSKEY.into());
    }
    tx.record_account(user, AccountChange::PasskeyRenamed(&name)).await?;
    tx.commit().await?;
    Ok(())
}

/// Removes a passkey, unless it is the last credential of the account.
pub async fn remove(app: &App, principal: &Principal, user: UserId, id: PasskeyId) -> Result<(), ChangeError> {
    // Before the transaction: the list may have to be read.
    let providers = app.store.providers().await?;
    let mut tx = app.store.begin(principal, Operation::ChangeFactors).await?;
    let account = tx.user_lock_in(user, principal.actor().session()).await?.ok_or(NO_PASSKEY)?;
    tx.require_own(user)?;
    let existing = tx.passkeys_of_user(user).await?;
    let row = existing.iter().find(|row| row.id == id).ok_or(NO_PASSKEY)?;
    let has_others = account.password_hash.is_some()
        || existing.len() > 1
        || tx.identities_of_user(user).await?.iter().any(|identity| logs_in(&providers, identity));
    if !has_others {
        return Err(Refusal::rule(Rule::Conflict, "passkey-last").into());
    }
    tx.passkey_delete(user, id).await?;
    tx.record_account(user, AccountChange::PasskeyRemoved(Some(&row.name))).await?;
    let notice = Notice::LoginMethodRemoved(LoginMethod::Passkey);
    mail::notify_of(app, &mut tx, &account, notice, Some(&row.name)).await?;
    tx.commit().await?;
    Ok(())
}
