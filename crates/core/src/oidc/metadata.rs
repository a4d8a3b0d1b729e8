//! What an OpenID provider says of itself (`OpenID Connect Discovery`, 3; RFC 8414).

use super::addresses;
use super::endpoints::{Endpoints, SecretPlace, SecretPlaces};
use super::fault::MetadataFault;
use crate::model::provider::{Provider, ProviderKind, Tenant};
use crate::outbound::ExternalUrl;
use serde::Deserialize;

/// What Microsoft writes in place of a tenant's id where the metadata are for several.
pub(super) const TENANT_PLACEHOLDER: &str = "{tenantid}";
/// The tenant of personal accounts, which `consumers` stands for.
const CONSUMERS: &str = "9188040d-6c67-4c5b-b112-36a304b66dad";

/// The metadata of an OpenID provider, as far as they are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenIdMetadata {
    pub endpoints: Endpoints,
    pub keys: ExternalUrl,
    /// Where it tells more of a person than the ID token does.
    pub userinfo: Option<ExternalUrl>,
    /// Whether it promises to check code verifiers by S256 (RFC 8414, 2). Some who do, do not promise it.
    pub promises_pkce: bool,
}

#[derive(Deserialize)]
struct SentMetadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
    authorization_response_iss_parameter_supported: Option<bool>,
    /// Whatever it is: a login does not depend on it.
    code_challenge_methods_supported: Option<serde_json::Value>,
}

impl OpenIdMetadata {
    pub fn parse(bytes: &[u8], provider: &Provider) -> Result<Self, MetadataFault> {
        let sent: SentMetadata = serde_json::from_slice(bytes).map_err(|_| MetadataFault::Malformed)?;
        let issuers = issuers(provider);
        if !issuers.contains(&sent.issuer) {
            let found = sent.issuer.chars().take(200).collect();
            return Err(MetadataFault::Issuer { found, expected: issuers.into_iter().next().unwrap_or_default() });
        }
        let secret_places = match provider.kind {
            // Apple documents nothing else.
            ProviderKind::Apple => SecretPlaces::One(SecretPlace::Form),
            _ => SecretPlaces::stated(sent.token_endpoint_auth_methods_supported.as_deref()),
        };
        let challenges = sent.code_challenge_methods_supported.as_ref().and_then(serde_json::Value::as_array);
        Ok(Self {
            endpoints: Endpoints {
                authorization: address("authorization_endpoint", &sent.authorization_endpoint)?,
                token: address("token_endpoint", &sent.token_endpoint)?,
                secret_places,
                promises_issuer: sent.authorization_response_iss_parameter_supported == Some(true),
            },
            keys: address("jwks_uri", &sent.jwks_uri)?,
            promises_pkce: challenges.is_some_and(|methods| methods.iter().any(|one| one == "S256")),
            userinfo: sent.userinfo_endpoint.map(|url| address("userinfo_endpoint", &url)).transpose()?,
        })
    }
}

/// What the metadata may call themselves. Those of one tenant may also have the placeholder: tokens do not.
fn issuers(provider: &Provider) -> Vec<String> {
    let of = |tenant: &str| format!("{}/{tenant}/v2.0", addresses::origin(provider));
    match (provider.kind, provider.tenant) {
        (ProviderKind::Microsoft, Some(Tenant::Id(id))) => vec![of(&id.to_string()), of(TENANT_PLACEHOLDER)],
        (ProviderKind::Microsoft, Some(Tenant::Consumers)) => vec![of(CONSUMERS), of(TENANT_PLACEHOLDER)],
        (ProviderKind::Microsoft, _) => vec![of(TENANT_PLACEHOLDER)],
        _ => vec![provider.issuer.clone()],
    }
}

fn address(field: &'static str, text: &str) -> Result<ExternalUrl, MetadataFault> {
    ExternalUrl::parse(text).map_err(|error| MetadataFault::Address { field, error })
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
