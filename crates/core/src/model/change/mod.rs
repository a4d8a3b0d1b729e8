//! What a transaction did, as one value: the events that are sent, the entry of the audit log and the line of the log all
//! come from it, so that none can be forgotten.

mod account;
mod description;
mod instance;
mod organization;

pub use account::AccountChange;
pub use description::{AuditDraft, Described, DraftSession};
pub use instance::InstanceChange;
pub use organization::{NewMember, OrganizationChange};

use super::api_key::{ApiKeyId, ApiKeyName, Scopes};
use super::audit::AuditKind;
use super::ids::UserId;
use super::provider::{ProviderKind, ProviderName};

#[derive(Clone, Debug)]
pub enum Change<'a> {
    Account(UserId, AccountChange<'a>),
    /// Of an organization, its members or invitations.
    Organization(OrganizationChange<'a>),
    Provider {
        name: &'a ProviderName,
        kind: ProviderKind,
        change: ProviderChange<'a>,
    },
    ApiKey {
        kind: ApiKeyChange,
        name: &'a ApiKeyName,
        id: &'a ApiKeyId,
        scopes: Scopes,
    },
    /// Of no account and no organization.
    Instance(InstanceChange<'a>),
}

/// What was done with a provider's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProviderChange<'a> {
    Added,
    /// These fields were changed; of a secret only that it was.
    Changed(&'a [&'static str]),
    /// It was removed, and this number of sessions ended.
    Removed(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiKeyChange {
    Created,
    Rotated,
    Revoked,
}

impl Change<'_> {
    pub fn described(&self) -> Described {
        match self {
            Change::Account(user, change) => change.described(*user),
            Change::Organization(change) => change.described(),
            Change::Provider { name, kind, change } => Described::entry(provider(name, *kind, change)),
            Change::ApiKey { kind, name, id, scopes } => {
                let (kind, line) = match kind {
                    ApiKeyChange::Created => (AuditKind::ApiKeyCreated, "API key created"),
                    ApiKeyChange::Rotated => (AuditKind::ApiKeyRotated, "API key rotated"),
                    ApiKeyChange::Revoked => (AuditKind::ApiKeyRevoked, "API key revoked"),
                };
                let draft = AuditDraft::new(kind, line)
                    .detail(format!("{} {id} {}", name.as_str(), scopes.to_text()))
                    .field("name", name.as_str())
                    .field("key_id", id.0.as_str())
                    .field("scopes", scopes.names());
                Described::entry(draft)
            }
            Change::Instance(change) => change.described(),
        }
    }
}

fn provider(name: &ProviderName, kind: ProviderKind, change: &ProviderChange<'_>) -> AuditDraft {
    let (audit, line) = match change {
        ProviderChange::Added => (AuditKind::ProviderAdded, "provider added"),
        ProviderChange::Changed(_) => (AuditKind::ProviderChanged, "provider changed"),
        ProviderChange::Removed(_) => (AuditKind::ProviderRemoved, "provider removed"),
    };
    let detail = match change {
        ProviderChange::Added => format!("{name} {}", kind.as_str()),
        ProviderChange::Changed(fields) => format!("{name} {}", fields.join(" ")),
        ProviderChange::Removed(sessions) => format!("{name} sessions ended: {sessions}"),
    };
    let draft = AuditDraft::new(audit, line).detail(detail).field("name", name.as_str()).field("kind", kind.as_str());
    match change {
        ProviderChange::Added => draft,
        ProviderChange::Changed(fields) => draft.field("fields", *fields),
        ProviderChange::Removed(sessions) => draft.field("sessions_ended", *sessions),
    }
}
