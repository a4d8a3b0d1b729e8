//! The list of providers, as the database has it.

use crate::model::provider::{Provider, ProviderName};
use crate::model::time::Time;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderRow {
    pub provider: Provider,
    /// The client's secret or Apple's key, sealed; `None`: it was lost with the secret key, and nobody can log in.
    pub secret: Option<Vec<u8>>,
    /// The version of the list in which what a login depends on was last changed: kind, issuer, client id, tenant, scopes,
    /// and what its word counts for.
    pub revision: i64,
    pub created_at: Time,
    pub updated_at: Time,
}

/// The providers in their order, as they were in one version of the list.
#[derive(Debug)]
pub struct ProviderList {
    pub(super) version: i64,
    pub(super) rows: Vec<Arc<ProviderRow>>,
}

impl ProviderList {
    /// All, in the order of their buttons.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<ProviderRow>> {
        self.rows.iter()
    }

    pub fn find(&self, name: &ProviderName) -> Option<Arc<ProviderRow>> {
        self.rows.iter().find(|row| row.provider.name == *name).cloned()
    }

    /// What people call the provider of this name; its name, if it was removed.
    pub fn label(&self, name: &ProviderName) -> String {
        self.find(name).map_or_else(|| name.as_str().to_owned(), |row| row.provider.label.clone())
    }
}
