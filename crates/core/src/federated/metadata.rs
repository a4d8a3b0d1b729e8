//! What an OpenID provider says of itself (`OpenID Connect Discovery`, 3; RFC 8414).

use crate::model::provider::{Provider, ProviderKind, Tenant};
use crate::outbound::{ForeignUrl, ForeignUrlError};
use serde::Deserialize;

use super::addresses;

/// What Microsoft writes in place of a tenant's id where the metadata are for several.
pub(super) const TENANT_PLACEHOLDER: &str = "{tenantid}";
/// The tenant of personal accounts, which `consumers` stands for.
const CONSUMERS: &str = "9188040d-6c67-4c5b-b112-36a304b66dad";

/// Where a login begins, and where its code is redeemed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoints {
    pub authorization: ForeignUrl,
    pub token: ForeignUrl,
    pub secret_places: SecretPlaces,
    /// Whether every answer says whose it is (RFC 9207, 3).
    pub promises_issuer: bool,
}

/// Where the client's secret stands in a request to the token endpoint (RFC 6749, 2.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretPlace {
    /// In the header `Authorization`: `client_secret_basic`.
    Header,
    /// In the form: `client_secret_post`.
    Form,
}

impl SecretPlace {
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Header => Self::Form,
            Self::Form => Self::Header,
        }
    }
}

/// Where a provider takes the client's secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretPlaces {
    One(SecretPlace),
    /// In both, as its metadata say; of a single client many take it in one of them only, which the metadata do not say.
    Both,
}

impl SecretPlaces {
    fn stated(methods: Option<&[String]>) -> Self {
        let has = |method: &str| methods.is_some_and(|methods| methods.iter().any(|one| one == method));
        match (has("client_secret_basic"), has("client_secret_post")) {
            (true, true) => Self::Both,
            (false, true) => Self::One(SecretPlace::Form),
            // Also the default (`OpenID Connect Discovery`, 3).
            (_, false) => Self::One(SecretPlace::Header),
        }
    }
}

/// The metadata of an OpenID provider, as far as they are used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenIdMetadata {
    pub endpoints: Endpoints,
    pub keys: ForeignUrl,
    /// Where it tells more of a person than the ID token does.
    pub userinfo: Option<ForeignUrl>,
    /// Whether it promises to check code verifiers by S256 (RFC 8414, 2). Some who do, do not promise it.
    pub promises_pkce: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataFault {
    /// They are no JSON object, or lack a field.
    #[error("the provider's metadata are no JSON object with the required fields")]
    Malformed,
    /// They are of another issuer: an issuer is compared letter by letter (`OpenID Connect Discovery`, 4.3).
    #[error("the provider's metadata are of the issuer {found:?}, expected was {expected:?}")]
    Issuer {
        /// What they say, shortened.
        found: String,
        expected: String,
    },
    #[error("the provider's metadata have a refused {field}: {error}")]
    Address { field: &'static str, error: ForeignUrlError },
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

fn address(field: &'static str, text: &str) -> Result<ForeignUrl, MetadataFault> {
    ForeignUrl::parse(text).map_err(|error| MetadataFault::Address { field, error })
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
