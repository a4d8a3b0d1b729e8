//! Brings the providers to what a file says: a plan, and its execution in one transaction.

use super::fields::{WholeProvider, differences, ends_logins};
use super::manage::{record, remove_in, require_free_client, too_many};
use crate::context::App;
use crate::domain::change::Change;
use crate::model::change::ProviderChange;
use crate::model::principal::{Operation, Principal};
use crate::model::provider::{MAX_PROVIDERS, Provider, ProviderName};
use crate::model::time::Time;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{ProviderRow, StoreError, Tx};
use std::collections::HashSet;

/// What is to be done with one provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProviderStep {
    Add(ProviderName),
    /// Change these fields; `secret` and `order` are among their names.
    Change(ProviderName, Vec<&'static str>),
    Remove(ProviderName),
}

/// What is to be done, in the order of the file; nothing if the providers are as the file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProviderPlan(pub Vec<ProviderStep>);

pub struct WantedProviders {
    /// In their order.
    pub providers: Vec<WholeProvider>,
    /// Whether all others are removed; else they stay, behind these.
    pub prune: bool,
}

/// Does what is missing, if that is `shown` where a plan was shown; made is what was done, and the number of sessions that
/// ended.
pub struct Apply<'a> {
    pub wanted: &'a WantedProviders,
    pub shown: Option<&'a ProviderPlan>,
}

impl Change for Apply<'_> {
    const OPERATION: Operation = Operation::ManageProviders;
    type Made = (ProviderPlan, u64);

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<Self::Made, ChangeError> {
        let Self { wanted: all, shown } = self;
        tx.instance_lock().await?;
        let stored = tx.providers_list().await?;
        let plan = all.plan_from(app, &stored)?;
        if shown.is_some_and(|shown| *shown != plan) {
            return Err(Refusal::in_english(
                Rule::Ended,
                "the providers were changed since the plan was made; look at it again",
            )
            .into());
        }
        if plan.0.is_empty() {
            return Ok((plan, 0));
        }
        let version = tx.providers_change().await?;
        let sessions = plan.clear(tx, &stored).await?;
        for wanted in &all.providers {
            let found = stored.iter().find(|row| row.provider.name == *wanted.name());
            let change = match (found, plan.changes(wanted.name())) {
                (None, _) => ProviderChange::Added,
                (Some(_), Some(fields)) => ProviderChange::Changed(fields),
                (Some(_), None) => continue,
            };
            let sealed = wanted.secret.seal(&app.secret_keys, wanted.name())?;
            let row = next_row(wanted, sealed, found, change, version, app.clock.now());
            tx.provider_create(&row).await?;
            record(tx, &row.provider, change).await?;
        }
        for (position, name) in (1..).zip(all.order(&stored)) {
            tx.provider_set_position(name, position).await?;
        }
        Ok((plan, sessions))
    }
}

impl WantedProviders {
    /// What is missing.
    pub async fn plan(&self, app: &App, principal: &Principal) -> Result<ProviderPlan, ChangeError> {
        let stored = app.store.read(principal, Operation::ReadProviders).await?.providers_list().await?;
        self.plan_from(app, &stored)
    }

    fn wants(&self, name: &ProviderName) -> bool {
        self.providers.iter().any(|wanted| wanted.name() == name)
    }

    /// The names in their order, once all is done.
    fn order<'a>(&'a self, stored: &'a [ProviderRow]) -> impl Iterator<Item = &'a ProviderName> {
        let others = stored.iter().map(|row| &row.provider.name).filter(|name| !self.prune && !self.wants(name));
        self.providers.iter().map(WholeProvider::name).chain(others)
    }

    fn plan_from(&self, app: &App, stored: &[ProviderRow]) -> Result<ProviderPlan, ChangeError> {
        self.check(stored)?;
        let moved = self.moved(stored);
        let wanted = self.providers.iter().filter_map(|wanted| {
            let name = wanted.name().clone();
            let Some(found) = stored.iter().find(|row| row.provider.name == name) else {
                return Some(ProviderStep::Add(name));
            };
            let mut fields = differences(&found.provider, &wanted.provider);
            fields.extend((!wanted.secret.is_of(&app.secret_keys, found)).then_some("secret"));
            fields.extend(moved.contains(&name).then_some("order"));
            (!fields.is_empty()).then_some(ProviderStep::Change(name, fields))
        });
        let removed = stored.iter().map(|row| &row.provider.name).filter(|name| self.prune && !self.wants(name));
        Ok(ProviderPlan(wanted.chain(removed.cloned().map(ProviderStep::Remove)).collect()))
    }

    /// The wanted ones that are at another place among those that stay.
    fn moved(&self, stored: &[ProviderRow]) -> HashSet<ProviderName> {
        let is_stored = |name: &&ProviderName| stored.iter().any(|row| row.provider.name == **name);
        let after = self.order(stored).filter(is_stored);
        let stays = |name: &&ProviderName| !self.prune || self.wants(name);
        let before = stored.iter().map(|row| &row.provider.name).filter(stays);
        let moved = after.zip(before).filter(|(after, before)| after != before).map(|(after, _)| after);
        moved.filter(|name| self.wants(name)).cloned().collect()
    }

    fn check(&self, stored: &[ProviderRow]) -> Result<(), ChangeError> {
        let others = stored.iter().map(|row| &row.provider).filter(|row| !self.prune && !self.wants(&row.name));
        let all: Vec<&Provider> = self.providers.iter().map(|wanted| &wanted.provider).chain(others).collect();
        if all.len() > MAX_PROVIDERS {
            return Err(too_many().into());
        }
        for provider in &all {
            require_free_client(provider, all.iter().copied())?;
        }
        Ok(())
    }
}

/// The row of a provider that is added or changed, with what stays of the one before.
fn next_row(
    wanted: &WholeProvider,
    sealed: Vec<u8>,
    found: Option<&ProviderRow>,
    change: ProviderChange<'_>,
    version: i64,
    now: Time,
) -> ProviderRow {
    let keeps = |field: fn(&[&'static str]) -> bool| {
        found.filter(|_| matches!(change, ProviderChange::Changed(fields) if !field(fields)))
    };
    ProviderRow {
        provider: wanted.provider.clone(),
        secret: keeps(|fields| fields.contains(&"secret")).map_or(Some(sealed), |row| row.secret.clone()),
        revision: keeps(ends_logins).map_or(version, |row| row.revision),
        created_at: found.map_or(now, |row| row.created_at),
        updated_at: now,
    }
}

impl ProviderPlan {
    /// Removes the rows of those that are removed, and of those that are changed, which are made again: two may exchange
    /// their client ids. Returns the number of sessions that ended.
    async fn clear(&self, tx: &mut Tx, stored: &[ProviderRow]) -> Result<u64, StoreError> {
        let mut sessions = 0;
        for row in stored {
            if self.removes(&row.provider.name) {
                sessions += remove_in(tx, &row.provider).await?;
            } else if let Some(fields) = self.changes(&row.provider.name) {
                tx.provider_delete(&row.provider.name).await?;
                if ends_logins(fields) {
                    tx.provider_pending_delete(&row.provider.name).await?;
                }
            }
        }
        Ok(sessions)
    }

    fn removes(&self, name: &ProviderName) -> bool {
        self.0.iter().any(|step| matches!(step, ProviderStep::Remove(removed) if removed == name))
    }

    fn changes(&self, name: &ProviderName) -> Option<&[&'static str]> {
        self.0.iter().find_map(|step| match step {
            ProviderStep::Change(changed, fields) if changed == name => Some(fields.as_slice()),
            _ => None,
        })
    }
}
