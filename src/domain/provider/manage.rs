//! What operators do with one provider: add, change, remove.

use super::field_error::ProviderFieldError;
use super::fields::{ProviderFields, WholeProvider, differences, ends_logins};
use super::secret::{GivenSecret, ProviderSecret};
use crate::context::App;
use crate::domain::change;
use crate::model::change::{Change, ProviderChange};
use crate::model::principal::Operation;
use crate::model::provider::{MAX_PROVIDERS, Provider, ProviderName};
use crate::model::session::EndReason;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{Conn, ProviderRow, StoreError, Tx};

/// Adds a provider behind all others.
pub struct Add(pub WholeProvider);

impl change::Change for Add {
    const OPERATION: Operation = Operation::ManageProviders;
    type Made = ProviderRow;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<ProviderRow, ChangeError> {
        let WholeProvider { provider, secret } = self.0;
        let secret = secret.seal(&app.secret_keys, &provider.name)?;
        let version = tx.providers_change().await?;
        let stored = tx.providers_list().await?;
        if stored.iter().any(|row| row.provider.name == provider.name) {
            return Err(name_taken(&provider.name).into());
        }
        if stored.len() >= MAX_PROVIDERS {
            return Err(too_many().into());
        }
        require_free_client(&provider, stored.iter().map(|row| &row.provider))?;
        let now = app.clock.now();
        let row = ProviderRow { provider, secret: Some(secret), revision: version, created_at: now, updated_at: now };
        tx.provider_create(&row).await?;
        record(tx, &row.provider, ProviderChange::Added).await?;
        Ok(row)
    }
}

/// Replaces the fields that are given, and the secret if one is; made are the names of those that changed, too.
pub struct Update<'a> {
    pub name: &'a ProviderName,
    pub fields: &'a ProviderFields,
    pub secret: Option<GivenSecret>,
}

impl change::Change for Update<'_> {
    const OPERATION: Operation = Operation::ManageProviders;
    type Made = (ProviderRow, Vec<&'static str>);

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<Self::Made, ChangeError> {
        let Self { name, fields, secret } = self;
        tx.instance_lock().await?;
        let stored = tx.providers_list().await?;
        let found = stored.iter().find(|row| row.provider.name == *name);
        let found = found.ok_or_else(|| no_such(name))?;
        let provider = fields.over(&found.provider)?;
        require_free_client(&provider, stored.iter().map(|row| &row.provider))?;
        let secret = secret.map(|given| ProviderSecret::checked(provider.kind, given)).transpose()?;
        let mut changed = differences(&found.provider, &provider);
        let new_secret = secret.filter(|secret| !secret.is_of(&app.secret_keys, found));
        changed.extend(new_secret.as_ref().map(|_| "secret"));
        if changed.is_empty() {
            return Ok((found.clone(), changed));
        }
        let version = tx.providers_change().await?;
        let sealed = new_secret.map(|secret| secret.seal(&app.secret_keys, name)).transpose()?;
        let ends = ends_logins(&changed);
        let row = ProviderRow {
            provider,
            secret: sealed.or_else(|| found.secret.clone()),
            revision: if ends { version } else { found.revision },
            created_at: found.created_at,
            updated_at: app.clock.now(),
        };
        // First, as logins that are under way hold it; then what waits.
        tx.provider_update(&row).await?;
        if ends {
            tx.provider_pending_delete(name).await?;
        }
        record(tx, &row.provider, ProviderChange::Changed(&changed)).await?;
        Ok((row, changed))
    }
}

/// Removes a provider, and ends the sessions that it began; its identities stay, for a provider of the same issuer.
/// Made is the number of sessions.
pub struct Remove<'a> {
    pub name: &'a ProviderName,
}

impl change::Change for Remove<'_> {
    const OPERATION: Operation = Operation::ManageProviders;
    type Made = u64;

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<u64, ChangeError> {
        tx.instance_lock().await?;
        let found = find(tx, self.name).await?;
        tx.providers_change().await?;
        Ok(remove_in(tx, &found.provider).await?)
    }
}

pub async fn find(conn: &mut Conn, name: &ProviderName) -> Result<ProviderRow, ChangeError> {
    Ok(conn.provider_find(name).await?.ok_or_else(|| no_such(name))?)
}

fn no_such(name: &ProviderName) -> Refusal {
    Refusal::in_english(
        Rule::Ended,
        format!("there is no provider \"{name}\"; `doorward provider list` shows the names"),
    )
}

fn name_taken(name: &ProviderName) -> Refusal {
    Refusal::in_english(
        Rule::Conflict,
        format!("there is a provider \"{name}\" already; `doorward provider update` changes it"),
    )
}

/// There would be more than [`MAX_PROVIDERS`].
pub(super) fn too_many() -> Refusal {
    Refusal::in_english(Rule::Full, format!("there can be {MAX_PROVIDERS} providers at most"))
}

pub(super) async fn remove_in(tx: &mut Tx, provider: &Provider) -> Result<u64, StoreError> {
    // First, as logins that are under way hold it; then what leads to a session, and then the sessions.
    tx.provider_delete(&provider.name).await?;
    tx.provider_begun_delete(&provider.name).await?;
    tx.provider_pending_delete(&provider.name).await?;
    let sessions = tx.sessions_end_of_provider(&provider.name, EndReason::ProviderRemoved.as_str()).await?;
    record(tx, provider, ProviderChange::Removed(sessions)).await?;
    Ok(sessions)
}

pub(super) async fn record(tx: &mut Tx, provider: &Provider, change: ProviderChange<'_>) -> Result<(), StoreError> {
    tx.record(Change::Provider { name: &provider.name, kind: provider.kind, change }).await
}

/// Two records of one client could not tell whose login comes back.
pub(super) fn require_free_client<'a>(
    provider: &Provider,
    mut others: impl Iterator<Item = &'a Provider>,
) -> Result<(), ProviderFieldError> {
    let is_same = |other: &&Provider| {
        other.name != provider.name && other.issuer == provider.issuer && other.client_id == provider.client_id
    };
    match others.find(is_same) {
        Some(other) => {
            let sentence = format!("the provider \"{}\" has the same issuer and client id", other.name);
            Err(ProviderFieldError::new("client_id", sentence))
        }
        None => Ok(()),
    }
}
