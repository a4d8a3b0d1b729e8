//! Whether an address that a provider states counts as verified: by its claims, and by what its record trusts.

use super::claims::{PersonClaims, text};
use crate::model::provider::{EmailTrust, Provider, ProviderKind};
use serde_json::Value;

/// Longer addresses are none (RFC 5321, 4.5.3.1, with room for what is refused later).
const MAX_ADDRESS_BYTES: usize = 320;
/// GitHub's own addresses, at which nobody reads mail.
const GITHUB_NOREPLY: &str = "users.noreply.github.com";

/// How far it is sure that the person has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EmailAssurance {
    /// The person has it: the provider verified that, or the operator trusts its word.
    Verified,
    /// As if the person had typed it at signup.
    Claimed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedAddress {
    /// As it was sent; whether it is an address is for who takes it.
    pub address: String,
    pub assurance: EmailAssurance,
}

/// The address of a document: its claims `email` and `email_verified` are of one document. `None` if it has none.
pub(super) fn of_claims(provider: &Provider, claims: &PersonClaims) -> Option<StatedAddress> {
    // Blanks around it are no part of it, as in a form.
    let address = usable(text(claims, "email")?.trim())?;
    let is_true = |name: &str| claims.get(name) == Some(&Value::Bool(true));
    let is_verified = match provider.kind {
        ProviderKind::Google => {
            let is_domain = |hosted: &str| !hosted.is_empty() && domain(address).eq_ignore_ascii_case(hosted);
            is_true("email_verified") && (is_domain("gmail.com") || text(claims, "hd").is_some_and(is_domain))
        }
        ProviderKind::Apple => is_true("email_verified") || text(claims, "email_verified") == Some("true"),
        ProviderKind::Microsoft => {
            let stated = claims.get("xms_edov");
            is_true("xms_edov") || stated.and_then(Value::as_u64) == Some(1) || text(claims, "xms_edov") == Some("1")
        }
        ProviderKind::Oidc => {
            if let Some(Value::String(said)) = claims.get("email_verified") {
                tracing::info!(
                    target: "doorward::oidc::email_trust",
                    provider = provider.name.as_str(),
                    "email_verified is the text {:?} and not true, so an address counts as typed at signup; \
                     with --email trusted each address of this provider counts as verified",
                    said.chars().take(10).collect::<String>()
                );
            }
            is_true("email_verified")
        }
        ProviderKind::GitHub => false,
    };
    Some(stated(provider, address, is_verified))
}

/// The address that GitHub calls the primary one, out of its list. Another one would not be the person's choice.
pub(super) fn of_github(provider: &Provider, list: &Value) -> Option<StatedAddress> {
    let is_true = |entry: &Value, name: &str| entry.get(name) == Some(&Value::Bool(true));
    let primary = list.as_array()?.iter().find(|entry| is_true(entry, "primary"))?;
    let address = usable(primary.get("email")?.as_str()?.trim())?;
    let is_verified = is_true(primary, "verified") && !domain(address).eq_ignore_ascii_case(GITHUB_NOREPLY);
    Some(stated(provider, address, is_verified))
}

fn stated(provider: &Provider, address: &str, is_verified: bool) -> StatedAddress {
    let is_trusted = match provider.email {
        EmailTrust::Verified => is_verified,
        EmailTrust::Trusted => is_verified || provider.kind.can_be_trusted(provider.tenant),
        EmailTrust::Never => false,
    };
    let assurance = if is_trusted { EmailAssurance::Verified } else { EmailAssurance::Claimed };
    StatedAddress { address: address.to_owned(), assurance }
}

fn usable(address: &str) -> Option<&str> {
    let is_usable = address.len() <= MAX_ADDRESS_BYTES
        && address.contains('@')
        && !address.chars().any(|c| c.is_control() || c.is_whitespace());
    is_usable.then_some(address)
}

fn domain(address: &str) -> &str {
    address.rsplit_once('@').map_or("", |(_, domain)| domain)
}

#[cfg(test)]
#[path = "email_trust_tests.rs"]
mod tests;
