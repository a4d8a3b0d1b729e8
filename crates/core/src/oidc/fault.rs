//! Why a login with a provider fails.

use crate::crypto::id_token::{IdTokenError, IdTokenKeysError};
use crate::outbound::{ExternalError, ExternalUrlError};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    Metadata,
    Keys,
    Token,
    Userinfo,
}

/// Why a login with a provider fails. Its text is for the log and for the operator: it has the cause, pieces of what the
/// provider sent in quotes and shortened, and no secret. Persons are shown one sentence for all of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderFault {
    /// The issuer of the record is no address.
    #[error("the issuer is no address of a server: {0}")]
    Address(ExternalUrlError),
    /// It did not answer in time and in full.
    #[error("{asked} cannot be had: {error}")]
    Unreachable { asked: Asked, error: ExternalError },
    /// It answers with another status than 200; redirects are not followed.
    #[error("{asked} cannot be had: the provider answers with status {status}")]
    Status { asked: Asked, status: u16 },
    /// It says why not, by an error of OAuth (RFC 6749, 5.2).
    #[error("{asked} cannot be had: the provider answers with the error {code:?}{}", described(description.as_deref()))]
    Refused {
        asked: Asked,
        code: String,
        /// How it explains the error, shortened; nothing that it repeats of the client's secret or of the login.
        description: Option<String>,
    },
    /// It answers with something else than JSON of the expected form.
    #[error("{0} cannot be read: the answer is no JSON of the expected form")]
    Malformed(Asked),
    #[error(transparent)]
    Metadata(#[from] MetadataFault),
    #[error(transparent)]
    Keys(#[from] IdTokenKeysError),
    /// The ID token has no right signature.
    #[error(transparent)]
    IdToken(#[from] IdTokenError),
    /// The ID token, or what the provider says of the person, lacks something.
    #[error("the provider's answer has no {0}, or an unreadable one")]
    Missing(&'static str),
    /// The ID token is of another issuer.
    #[error("the ID token is of the issuer {found:?}, expected was {expected:?}")]
    Issuer { found: String, expected: String },
    /// The ID token is of a tenant that the record does not permit.
    #[error("the ID token is of the tenant {0:?}, which is not permitted")]
    Tenant(String),
    /// The key serves another issuer.
    #[error("the ID token is signed by a key of the issuer {0:?}")]
    KeyIssuer(String),
    /// The ID token is for another client.
    #[error("the ID token is for another client id")]
    Audience,
    /// The ID token was issued to another client.
    #[error("the ID token was issued to another client id (azp)")]
    AuthorizedParty,
    #[error("the ID token has expired; are both clocks right?")]
    Expired,
    /// The ID token is of the future.
    #[error("the ID token was issued in the future; are both clocks right?")]
    Future,
    /// The ID token is of another login.
    #[error("the ID token has the nonce of another login")]
    Nonce,
    /// The answer is of another issuer (RFC 9207).
    #[error("the answer's iss is {0:?}, which is another provider's")]
    ReturnedIssuer(String),
    /// The answer does not say whose it is, though the metadata promise that (RFC 9207, 2.3).
    #[error("the answer has no iss, which the metadata promise")]
    ReturnedWithoutIssuer,
    /// The provider, or the person there, refused (RFC 6749, 4.1.2.1).
    #[error("the provider answers the login with the error {0:?}")]
    Denied(String),
    /// The answer has neither code nor error.
    #[error("the answer has neither a code nor an error")]
    WithoutCode,
    #[error("userinfo is about another person than the ID token")]
    UserinfoSubject,
    #[error("the client's secret of this provider cannot be used")]
    Secret,
    #[error("there are no random bytes")]
    Random,
    /// This machine has no trusted root certificates.
    #[error("no provider can be asked: this machine has no trusted root certificates")]
    NoRoots,
}

/// Why what an OpenID provider says of itself cannot be used.
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
    Address { field: &'static str, error: ExternalUrlError },
}

impl ProviderFault {
    /// Whether the provider did not answer, so that trying again may help.
    pub fn is_outage(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Status { status: 429 | 500.., .. })
    }

    /// Whether the person went no further at the provider (RFC 6749, 4.1.2.1; Apple has a code of its own).
    pub fn is_canceled(&self) -> bool {
        matches!(self, Self::Denied(code) if code == "access_denied" || code == "user_cancelled_authorize")
    }

    /// Whether the provider refuses this client, or the way in which it shows its secret: by the errors of RFC 6749, 5.2,
    /// by one that some send with status 401, or by that status alone.
    pub(super) fn refuses_client(&self) -> bool {
        match self {
            Self::Refused { asked: Asked::Token, code, .. } => {
                matches!(code.as_str(), "invalid_client" | "unauthorized_client" | "access_denied")
            }
            Self::Status { asked: Asked::Token, status } => *status == 401,
            _ => false,
        }
    }

    /// The same without an explanation that has one of these secrets.
    pub(super) fn without(self, secrets: &[&str]) -> Self {
        match self {
            Self::Refused { asked, code, description } => {
                let is_clean = |text: &String| !secrets.iter().any(|secret| text.contains(secret));
                Self::Refused { asked, code, description: description.filter(is_clean) }
            }
            other => other,
        }
    }

    /// The beginning of a text of others.
    pub(super) fn shown(text: &str) -> String {
        text.chars().take(200).collect()
    }

    /// An error of OAuth, as far as it has the form of one.
    pub(super) fn error_code(text: &str) -> String {
        let is_code = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        if text.is_empty() || text.len() > 64 || !text.chars().all(is_code) {
            return "unreadable".to_owned();
        }
        text.to_owned()
    }
}

fn described(description: Option<&str>) -> String {
    description.map(|text| format!(", {text:?}")).unwrap_or_default()
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Metadata => "the provider's metadata",
            Self::Keys => "the provider's keys",
            Self::Token => "a token",
            Self::Userinfo => "userinfo",
        })
    }
}
