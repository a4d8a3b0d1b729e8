//! The secret key is lost, or known to others: what depends on it goes, in one transaction.

use super::keys;
use crate::crypto::secret_keys::SecretKeys;
use crate::error::Error;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
use crate::model::provider::ProviderName;
use crate::model::session::EndReason;
use crate::store::{Queue, Store, StoreError, Tx};

/// Users per query.
const BATCH_SIZE: i64 = 500;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    pub sessions: u64,
    /// Accounts whose authenticator app is lost.
    pub factors: u64,
    pub api_keys: u64,
    /// Providers whose secret is lost: nobody can log in with them until they have another.
    pub providers: Vec<ProviderName>,
}

/// Whether the database was sealed with one of these keys, so that nothing is lost.
pub async fn fits(store: &Store, principal: &Principal, secret_keys: &SecretKeys) -> Result<bool, Error> {
    let check = keys::read_check(store, principal).await?;
    Ok(check.is_none_or(|check| secret_keys.verify_check_value(&check)))
}

/// Removes everything that was sealed, signed or hashed with the lost key, and lets the database adopt the new one.
/// Accounts, passwords, passkeys and events stay. A user who had an authenticator app needs the password and a mailed
/// link at each login, until there is another app.
pub async fn reset(store: &Store, principal: &Principal, secret_keys: &SecretKeys) -> Result<Lost, Error> {
    let check = secret_keys.check_value().map_err(Error::crypto)?;
    let mut tx = store.begin(principal, Operation::ManageInstance).await?;
    tx.instance_lock().await?;
    let factors = record_lost_factors(&mut tx).await?;
    let api_keys = tx.sealed_delete_all().await?;
    let providers = forget_provider_secrets(&mut tx).await?;
    let sessions = tx.sessions_end_all(EndReason::KeyLost.as_str()).await?;
    tx.trusted_devices_delete_all().await?;
    tx.account_tokens_delete_all().await?;
    tx.setup_link_delete().await?;
    for queue in [Queue::Mail, Queue::Notice] {
        tx.outbox_discard(queue).await?;
    }
    tx.instance_set_key_check(&check).await?;
    tx.commit().await?;
    Ok(Lost { sessions, factors, api_keys, providers })
}

async fn forget_provider_secrets(tx: &mut Tx) -> Result<Vec<ProviderName>, StoreError> {
    tx.providers_change().await?;
    let providers = tx.providers_list().await?;
    tx.provider_secrets_delete_all().await?;
    Ok(providers.into_iter().map(|row| row.provider.name).collect())
}

async fn record_lost_factors(tx: &mut Tx) -> Result<u64, StoreError> {
    let (mut after, mut count) = (UserId(uuid::Uuid::nil()), 0);
    loop {
        let page = tx.totp_page(after, BATCH_SIZE).await?;
        let Some(last) = page.last() else { return Ok(count) };
        after = last.user_id;
        for row in page.iter().filter(|row| row.confirmed_at.is_some()) {
            tx.lost_factor_create(row.user_id).await?;
            tx.record_account(row.user_id, AccountChange::TotpDisabled).await?;
            count += 1;
        }
    }
}
