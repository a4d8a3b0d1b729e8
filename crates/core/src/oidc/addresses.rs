//! Where a provider is asked, by its kind.

use super::endpoints::{Endpoints, SecretPlace, SecretPlaces};
use super::fault::ProviderFault;
use crate::model::provider::{Provider, ProviderKind};
use crate::outbound::{ExternalUrl, NamedBy};

/// The path of metadata below an issuer (`OpenID Connect Discovery`, 4).
const WELL_KNOWN: &str = ".well-known/openid-configuration";

/// The addresses of GitHub, which has no metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GitHubAddresses {
    pub(super) endpoints: Endpoints,
    pub(super) user: ExternalUrl,
    pub(super) emails: ExternalUrl,
}

impl GitHubAddresses {
    pub(super) fn of(provider: &Provider) -> Result<Self, ProviderFault> {
        let origin = origin(provider);
        let api = match origin {
            "https://github.com" => "https://api.github.com".to_owned(),
            enterprise => format!("{enterprise}/api/v3"),
        };
        Ok(Self {
            endpoints: Endpoints {
                authorization: parse(&format!("{origin}/login/oauth/authorize"))?,
                token: parse(&format!("{origin}/login/oauth/access_token"))?,
                secret_places: SecretPlaces::One(SecretPlace::Form),
                promises_issuer: false,
            },
            user: parse(&format!("{api}/user"))?,
            emails: parse(&format!("{api}/user/emails?per_page=100"))?,
        })
    }
}

/// The issuer without the slash at its end: for Microsoft and GitHub the origin.
pub(super) fn origin(provider: &Provider) -> &str {
    provider.issuer.strip_suffix('/').unwrap_or(&provider.issuer)
}

pub(super) fn metadata(provider: &Provider) -> Result<ExternalUrl, ProviderFault> {
    if provider.issuer.contains('?') {
        return Err(ProviderFault::Address(crate::outbound::ExternalUrlError::Malformed));
    }
    let origin = origin(provider);
    match (provider.kind, provider.tenant) {
        (ProviderKind::Microsoft, Some(tenant)) => parse(&format!("{origin}/{tenant}/v2.0/{WELL_KNOWN}")),
        _ => parse(&format!("{origin}/{WELL_KNOWN}")),
    }
}

/// Who named the host of an address: the operator that of the issuer in the record, unless it is the one that Doorward
/// knows; all others the provider.
pub(super) fn named_by(provider: &Provider, url: &ExternalUrl) -> NamedBy {
    let is_known = provider.kind.issuer() == Some(provider.issuer.as_str());
    let is_host = |issuer: ExternalUrl| issuer.host().eq_ignore_ascii_case(url.host());
    if !is_known && ExternalUrl::parse(&provider.issuer).is_ok_and(is_host) {
        NamedBy::Operator
    } else {
        NamedBy::Others
    }
}

fn parse(text: &str) -> Result<ExternalUrl, ProviderFault> {
    ExternalUrl::parse(text).map_err(ProviderFault::Address)
}

#[cfg(test)]
#[path = "addresses_tests.rs"]
mod tests;
