//! What operators do with API keys.

use crate::context::App;
use crate::crypto::api_key::GeneratedApiKey;
use crate::crypto::seal::SealContext;
use crate::domain::change;
use crate::error::Error;
use crate::model::api_key::{ApiKeyId, ApiKeyName, KeyNetworks, Scopes};
use crate::model::change::{ApiKeyChange, Change};
use crate::model::principal::Operation;
use crate::model::time::Time;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{ApiKeyRow, StoreError, Tx};
use std::time::Duration;
use zeroize::Zeroizing;

pub struct NewApiKey {
    pub name: ApiKeyName,
    pub scopes: Scopes,
    /// How long it may be used; `None`: until it is revoked.
    pub ttl: Option<Duration>,
    pub networks: KeyNetworks,
}

/// A new key, whose text is not known again.
pub struct CreatedApiKey {
    pub row: ApiKeyRow,
    pub text: Zeroizing<String>,
}

impl change::Change for NewApiKey {
    const OPERATION: Operation = Operation::ManageApiKeys;
    type Made = CreatedApiKey;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<CreatedApiKey, ChangeError> {
        // Of two commands with one name, the second finds the key of the first.
        tx.instance_lock().await?;
        if let Some(live) = tx.api_key_newest_live(self.name.as_str()).await? {
            return Err(Refusal::in_english(
                Rule::Conflict,
                format!("there is a live API key \"{}\" already: {}", live.name, live.id),
            )
            .into());
        }
        let created = insert(app, tx, self, None).await?;
        record(tx, ApiKeyChange::Created, &created.row).await?;
        Ok(created)
    }
}

/// Creates a key of the same name, scopes, networks and length of life; the old one ends after `overlap`.
pub struct Rotate<'a> {
    pub id: &'a ApiKeyId,
    pub overlap: Duration,
}

impl change::Change for Rotate<'_> {
    const OPERATION: Operation = Operation::ManageApiKeys;
    type Made = CreatedApiKey;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<CreatedApiKey, ChangeError> {
        tx.instance_lock().await?;
        let now = app.clock.now();
        let old = tx.api_key_find(self.id).await?.ok_or(Refusal::NotFound("API key"))?;
        if !old.is_live(now) {
            return Err(Refusal::in_english(
                Rule::Ended,
                format!("the API key \"{}\" has ended; create a new one", old.id),
            )
            .into());
        }
        if let Some(newest) = tx.api_key_newest_live(&old.name).await?.filter(|newest| newest.id != old.id) {
            return Err(Refusal::in_english(
                Rule::Conflict,
                format!("the API key \"{}\" was rotated already, to {}", old.id, newest.id),
            )
            .into());
        }
        let end = old.expires_at.map_or(now + self.overlap, |end| end.min(now + self.overlap));
        tx.api_key_set_expiry(&old.id, end).await?;
        let new = NewApiKey {
            name: ApiKeyName::from_stored(old.name.clone()),
            scopes: old.scopes,
            ttl: old.expires_at.map(|end| end.since(old.created_at)),
            networks: old.networks.clone(),
        };
        let created = insert(app, tx, new, Some(&old)).await?;
        record(tx, ApiKeyChange::Rotated, &created.row).await?;
        Ok(created)
    }
}

/// Revokes a key, at once and for every process; `None` if it was revoked before.
pub struct Revoke<'a> {
    pub id: &'a ApiKeyId,
}

impl change::Change for Revoke<'_> {
    const OPERATION: Operation = Operation::RevokeApiKey;
    type Made = Option<ApiKeyRow>;

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<Option<ApiKeyRow>, ChangeError> {
        let row = tx.api_key_find(self.id).await?.ok_or(Refusal::NotFound("API key"))?;
        let changed = tx.api_key_revoke(self.id).await?;
        if changed {
            record(tx, ApiKeyChange::Revoked, &row).await?;
        }
        Ok(changed.then_some(row))
    }
}

async fn insert(
    app: &App,
    tx: &mut Tx,
    new: NewApiKey,
    replaced: Option<&ApiKeyRow>,
) -> Result<CreatedApiKey, ChangeError> {
    let key = GeneratedApiKey::generate(&app.settings.name).map_err(Error::from)?;
    let secret = app.secret_keys.seal(&seal_context(&key.id), key.hash.as_bytes()).map_err(Error::crypto)?;
    let now = app.clock.now();
    // A key made by a clock that is behind still counts as newer than the one it replaces.
    let earliest = replaced.map(|old| old.created_at + Duration::from_micros(1));
    let created_at: Time = earliest.map_or(now, |earliest| earliest.max(now));
    let row = ApiKeyRow {
        family: replaced.map_or_else(|| key.id.clone(), |old| old.family.clone()),
        id: key.id,
        name: new.name.as_str().to_owned(),
        secret,
        scopes: new.scopes,
        networks: new.networks,
        created_at,
        expires_at: new.ttl.map(|ttl| created_at + ttl),
        revoked_at: None,
        last_used_at: None,
        last_used_network: String::new(),
    };
    tx.api_key_create(&row).await?;
    Ok(CreatedApiKey { row, text: key.text })
}

async fn record(tx: &mut Tx, kind: ApiKeyChange, key: &ApiKeyRow) -> Result<(), StoreError> {
    let name = ApiKeyName::from_stored(key.name.clone());
    tx.record(Change::ApiKey { kind, name: &name, id: &key.id, scopes: key.scopes }).await
}

pub(super) fn seal_context(id: &ApiKeyId) -> SealContext<'_> {
    SealContext { table: "api_keys", row: id.0.as_bytes(), column: "secret" }
}
