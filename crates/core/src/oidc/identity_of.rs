//! What an identity of a provider may be called, for those who name one without a login.

use super::claims::{is_usable_subject, of_tenant};
use crate::model::provider::{Provider, ProviderKind};
use uuid::Uuid;

/// Whether identities of a provider may have this issuer: the record's, letter by letter; Microsoft's with a tenant that
/// the record permits.
pub fn states_issuer(provider: &Provider, issuer: &str) -> bool {
    match (provider.kind, provider.tenant) {
        (ProviderKind::Microsoft, Some(permitted)) => issuer
            .split('/')
            .filter_map(|part| Uuid::try_parse(part).ok())
            .any(|tenant| permitted.permits(tenant) && issuer == of_tenant(provider, tenant)),
        (ProviderKind::Microsoft, None) => false,
        (ProviderKind::GitHub, _) => issuer == super::addresses::origin(provider),
        _ => issuer == provider.issuer,
    }
}

/// Whether a provider may call a person so: GitHub by a number, Microsoft by an object's id, others by at most 255
/// visible bytes (`OpenID Connect Core`, 2).
pub fn states_subject(provider: &Provider, subject: &str) -> bool {
    match provider.kind {
        ProviderKind::GitHub => subject.parse::<u64>().is_ok_and(|id| id.to_string() == subject),
        ProviderKind::Microsoft => Uuid::try_parse(subject).is_ok_and(|id| id.to_string() == subject),
        _ => is_usable_subject(subject),
    }
}

#[cfg(test)]
#[path = "identity_of_tests.rs"]
mod tests;
