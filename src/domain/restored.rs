//! The database was restored from a backup.

use super::organization::revoke_pending;
use crate::error::Error;
use crate::model::principal::{Operation, Principal};
use crate::model::provider::ProviderName;
use crate::model::session::EndReason;
use crate::store::{ApiKeyRow, Queue, Store};

/// More than an operator looks through.
const MAX_API_KEYS: i64 = 10_000;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    pub sessions: u64,
    /// Links and codes that were mailed to people, and invitations.
    pub links: u64,
}

/// The API keys that are live again: one that was revoked after the backup is among them, as nothing tells which.
pub async fn live_api_keys(store: &Store, principal: &Principal) -> Result<Vec<ApiKeyRow>, Error> {
    let now = store.clock().now();
    let mut keys = store.read(principal, Operation::ReadApiKeys).await?.api_keys_list(MAX_API_KEYS).await?;
    keys.retain(|key| key.is_live(now));
    Ok(keys)
}

/// The providers that are there again, and the number of identities that log in by each, whether or not it is there: what
/// was removed or disconnected after the backup is among them.
pub async fn live_providers(store: &Store, principal: &Principal) -> Result<Vec<(ProviderName, i64)>, Error> {
    let mut conn = store.read(principal, Operation::ReadProviders).await?;
    let mut counts = conn.identities_count_by_provider().await?;
    for row in conn.providers_list().await? {
        if counts.iter().all(|(name, _)| *name != row.provider.name) {
            counts.push((row.provider.name, 0));
        }
    }
    Ok(counts)
}

/// Ends every session and voids every unused link, with trusted devices and pending logins: what was logged out, used or
/// revoked after the backup would be valid again. Emails that wait with such a link are not sent.
pub async fn end_all(store: &Store, principal: &Principal) -> Result<Ended, Error> {
    let mut tx = store.begin(principal, Operation::ManageInstance).await?;
    let sessions = tx.sessions_end_all(EndReason::Restored.as_str()).await?;
    tx.trusted_devices_delete_all().await?;
    let links = tx.account_tokens_delete_all().await?;
    tx.outbox_discard(Queue::Mail).await?;
    let invitations = revoke_pending::revoke_all(&mut tx, store.clock().now()).await?;
    tx.instance_forget_processes().await?;
    tx.commit().await?;
    Ok(Ended { sessions, links: links + invitations })
}
