//! ID tokens of providers: their keys, and whether their signatures are right. What the claims say is checked elsewhere.

mod algorithm;
mod key_set;

#[cfg(test)]
#[path = "conformance_tests.rs"]
mod conformance_tests;
#[cfg(test)]
#[path = "id_token_tests.rs"]
mod tests;

pub use algorithm::IdTokenAlgorithm;
pub use key_set::{IdTokenKeys, IdTokenKeysError};

use crate::model::strict_json;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use key_set::IdTokenKey;
use serde::Deserialize;
use serde_json::{Map, Value};

const MAX_BYTES: usize = 64 * 1024;

/// The claims of a token whose signature is right.
#[derive(Clone, Debug, PartialEq)]
pub struct SignedClaims {
    /// Every claim, none twice.
    pub claims: Map<String, Value>,
    /// Whose tokens the key signs, where it states that.
    pub key_issuer: Option<String>,
}

/// Why a token's signature is not right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdTokenError {
    #[error("the ID token is malformed")]
    Malformed,
    /// It has no algorithm that is permitted.
    #[error("the ID token has the algorithm {0:?}, which is not permitted")]
    Algorithm(String),
    /// The key that it names is of another kind.
    #[error("the ID token's algorithm does not fit the kind of its key")]
    KeyKind,
    /// No key has the name that it states, or it states none and is signed by no key that fits.
    #[error("the ID token is signed by a key that the provider does not publish")]
    UnknownKey,
    /// It names no key, or a name that several have, and several fit.
    #[error("the ID token does not say which of several keys signed it")]
    SeveralKeys,
    /// The signature is not of the key.
    #[error("the ID token has a wrong signature")]
    Signature,
}

/// The protected header (RFC 7515, 4.1).
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    #[serde(default)]
    crit: Option<Value>,
}

/// The claims of a token in the compact serialization (RFC 7515, 7.1), if one of the keys signed it.
pub fn verify(token: &str, keys: &IdTokenKeys) -> Result<SignedClaims, IdTokenError> {
    let malformed = || IdTokenError::Malformed;
    if token.len() > MAX_BYTES || token.split('.').count() != 3 {
        return Err(malformed());
    }
    let (message, signature) = token.rsplit_once('.').ok_or_else(malformed)?;
    let (header, claims) = message.split_once('.').ok_or_else(malformed)?;
    let header: Header = serde_json::from_str(&object(header)?).map_err(|_| malformed())?;
    // No extension is known here (RFC 7515, 4.1.11).
    if header.crit.is_some() {
        return Err(malformed());
    }
    let algorithm = IdTokenAlgorithm::parse(&header.alg).ok_or_else(|| IdTokenError::Algorithm(shown(&header.alg)))?;
    let key = key_of(keys, header.kid.as_deref(), algorithm)?;
    let signature = URL_SAFE_NO_PAD.decode(signature).map_err(|_| malformed())?;
    if !key.verifies(algorithm, message.as_bytes(), &signature) {
        // A provider that names no keys may have a new one.
        let is_named = header.kid.is_some();
        return Err(if is_named { IdTokenError::Signature } else { IdTokenError::UnknownKey });
    }
    let claims = serde_json::from_str(&object(claims)?).map_err(|_| malformed())?;
    Ok(SignedClaims { claims, key_issuer: key.issuer.clone() })
}

/// The one key that may have signed: that of the name, or without a name the only one that fits (`OpenID Connect Core`,
/// 10.1).
fn key_of<'a>(
    keys: &'a IdTokenKeys,
    kid: Option<&str>,
    algorithm: IdTokenAlgorithm,
) -> Result<&'a IdTokenKey, IdTokenError> {
    let named = || keys.keys.iter().filter(|key| kid.is_none() || key.kid.as_deref() == kid);
    let mut fitting = named().filter(|key| key.fits(algorithm));
    match (fitting.next(), fitting.next()) {
        (Some(key), None) => Ok(key),
        (Some(_), Some(_)) => Err(IdTokenError::SeveralKeys),
        (None, _) if kid.is_some() && named().next().is_some() => Err(IdTokenError::KeyKind),
        (None, _) => Err(IdTokenError::UnknownKey),
    }
}

/// A part of a token, which is an object that every parser reads alike.
fn object(part: &str) -> Result<String, IdTokenError> {
    let bytes = URL_SAFE_NO_PAD.decode(part).map_err(|_| IdTokenError::Malformed)?;
    let text = String::from_utf8(bytes).map_err(|_| IdTokenError::Malformed)?;
    strict_json::check_object(&text).map_err(|_| IdTokenError::Malformed)?;
    Ok(text)
}

/// The beginning of a text of others, for the log.
fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}
