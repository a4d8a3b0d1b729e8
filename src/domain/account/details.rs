//! What the application keeps with an account: an id and a JSON object of its own.

use crate::model::change::AccountChange;
use crate::model::external_id::ExternalId;
use crate::model::ids::UserId;
use crate::model::metadata::Metadata;
use crate::store::{StoreError, Tx};

#[derive(Default)]
pub struct AccountDetails {
    pub external_id: Option<ExternalId>,
    pub metadata: Metadata,
}

/// What is to change; what is `None` stays.
#[derive(Default)]
pub struct DetailsChange {
    /// The application's id; `Some(None)` clears it.
    pub external_id: Option<Option<ExternalId>>,
    /// The application's object; `{}` clears it.
    pub metadata: Option<Metadata>,
}

/// Changes the details of an account that this transaction has locked. Returns `false` if
/// it has them already.
pub(super) async fn change_in(tx: &mut Tx, user: UserId, change: DetailsChange) -> Result<bool, StoreError> {
    let Some(stored) = tx.user_details(user).await? else { return Ok(false) };
    let external_id = match &change.external_id {
        Some(new) => new.as_ref().map(|id| id.as_str().to_owned()),
        None => stored.external_id.clone(),
    };
    let metadata = change.metadata.as_ref().unwrap_or(&stored.metadata);
    let changed: Vec<&'static str> = [
        (external_id != stored.external_id).then_some("external_id"),
        (metadata.as_str() != stored.metadata.as_str()).then_some("metadata"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !changed.is_empty() {
        tx.user_set_details(user, external_id.as_deref(), metadata).await?;
        tx.record_account(user, AccountChange::DetailsChanged(&changed)).await?;
    }
    Ok(!changed.is_empty())
}
