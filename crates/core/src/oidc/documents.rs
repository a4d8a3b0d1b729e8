//! The metadata and keys of all providers, kept by a process.

use super::cache::Cached;
use super::exchange::KnownPlace;
use super::metadata::OpenIdMetadata;
use crate::crypto::id_token::IdTokenKeys;
use crate::model::provider::{MAX_PROVIDERS, Provider, ProviderKind, ProviderName, Tenant};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The metadata and keys of providers. A process has one, and fetches nothing before it is asked.
#[derive(Default)]
pub struct ProviderDocuments(Mutex<Shelf>);

#[derive(Default)]
struct Shelf {
    documents: HashMap<ProviderName, Entry>,
    /// Counts uses, so that the least recently used entry is known.
    uses: u64,
}

struct Entry {
    source: Source,
    last_use: u64,
    documents: Arc<Documents>,
}

/// What decides which documents those of a provider are: after a change of one of them they are fetched again.
#[derive(Clone, PartialEq, Eq)]
struct Source {
    kind: ProviderKind,
    issuer: String,
    tenant: Option<Tenant>,
}

/// The documents of one provider, and where it takes the client's secret.
#[derive(Debug, Default)]
pub(super) struct Documents {
    pub(super) metadata: Cached<OpenIdMetadata>,
    pub(super) keys: Cached<IdTokenKeys>,
    pub(super) secret_place: KnownPlace,
}

impl ProviderDocuments {
    /// The documents of a provider, as its record is now.
    pub(super) fn of(&self, provider: &Provider) -> Arc<Documents> {
        let source = Source { kind: provider.kind, issuer: provider.issuer.clone(), tenant: provider.tenant };
        let mut kept = self.0.lock();
        kept.uses = kept.uses.wrapping_add(1);
        let last_use = kept.uses;
        if let Some(entry) = kept.documents.get_mut(&provider.name).filter(|entry| entry.source == source) {
            entry.last_use = last_use;
            return entry.documents.clone();
        }
        kept.documents.remove(&provider.name);
        if kept.documents.len() >= MAX_PROVIDERS {
            let oldest = kept.documents.iter().min_by_key(|(_, entry)| entry.last_use).map(|(name, _)| name.clone());
            oldest.and_then(|name| kept.documents.remove(&name));
        }
        let documents = Arc::<Documents>::default();
        let entry = Entry { source, last_use, documents: documents.clone() };
        kept.documents.insert(provider.name.clone(), entry);
        documents
    }
}

impl fmt::Debug for ProviderDocuments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderDocuments").field("providers", &self.0.lock().documents.len()).finish()
    }
}

#[cfg(test)]
#[path = "documents_tests.rs"]
mod tests;
