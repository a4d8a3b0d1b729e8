//! Access tokens: issuer and keys.

use super::encoding::decode_base64;
use super::origin::has_user_info;
use super::parse;
use super::problem::InvalidValue;
use super::reader::{Read, Reader, Reported};
use super::server::base_url_as_default;
use super::spec::{Derived, Values, section};
use crate::model::signing::SigningAlgorithm;
use zeroize::Zeroizing;

#[derive(Debug)]
pub struct TokenSettings {
    pub issuer: String,
    /// The algorithm of new keys; without effect beside shared keys.
    pub algorithm: SigningAlgorithm,
    /// Shared HS256 keys; `None` for generated key pairs, published as JWKS.
    pub hs256: Option<Hs256Keys>,
}

/// A shared key and its id.
type NamedKey = (String, Zeroizing<Vec<u8>>);

/// Shared keys for backends that verify tokens with a secret.
pub struct Hs256Keys {
    /// Key ids and keys, in the configured order.
    pub keys: Vec<(String, Zeroizing<Vec<u8>>)>,
    /// The id of the key that signs; one of `keys`.
    pub active: String,
}

impl std::fmt::Debug for Hs256Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hs256Keys").field("active", &self.active).finish_non_exhaustive()
    }
}

section! { "Access tokens";
    JWT_ISSUER: "text", Derived("SVC_BASE_URL", base_url_as_default), Address,
        "The iss claim of access tokens.";
    JWT_ALG: "EdDSA or ES256", Fixed(SigningAlgorithm::EdDsa.as_str()), Public,
        "Signature algorithm of new access tokens. More libraries and proxies can verify ES256. A change takes effect \
        ten minutes after the start, and invalidates no token. Cannot be combined with SVC_JWT_KEYS.";
    JWT_KEYS: "list of kid:base64", Unset("generated key pairs, published as JWKS"), Secret,
        "Shared HS256 keys of at least 32 bytes each, for backends that verify access tokens with a secret.";
    JWT_ACTIVE_KEY_ID: "key id", Derived("the first of SVC_JWT_KEYS", first_key_id), Public,
        "Which key of SVC_JWT_KEYS signs; the others only verify.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<TokenSettings> {
    let issuer = reader.required(&JWT_ISSUER, issuer);
    let algorithm = reader.required(&JWT_ALG, algorithm);
    let keys = reader.optional(&JWT_KEYS, keys);
    let shared = keys.as_ref().map(Option::as_deref).map_err(|reported| *reported);
    let active = reader.optional(&JWT_ACTIVE_KEY_ID, |text| active_key_id(text, shared));
    if algorithm.is_ok() && reader.is_given(&JWT_ALG) && reader.is_given(&JWT_KEYS) {
        let keys = reader.variable(&JWT_KEYS);
        reader.report(&JWT_ALG, format!("is set, and {keys} too, whose keys are for HS256. Allowed: one of the two"));
        return Err(Reported);
    }
    let hs256 = match (keys?, active?) {
        (Some(keys), Some(active)) => Some(Hs256Keys { keys, active }),
        _ => None,
    };
    Ok(TokenSettings { issuer: issuer?, algorithm: algorithm?, hs256 })
}

fn first_key_id(values: &Values<'_>) -> Option<Derived> {
    let keys = keys(&values.effective(&JWT_KEYS)?).ok()?;
    keys.into_iter().next().map(|(id, _)| Derived { value: id, from: Some(&JWT_KEYS) })
}

fn issuer(text: &str) -> Result<String, InvalidValue> {
    if text.len() > 256 || text.contains(char::is_control) {
        return Err("a text of at most 256 bytes without control characters, usually the base URL".into());
    }
    if has_user_info(text) {
        return Err("a URL without username and password: every access token shows it".into());
    }
    Ok(text.to_owned())
}

fn algorithm(text: &str) -> Result<SigningAlgorithm, InvalidValue> {
    SigningAlgorithm::parse(text).ok_or_else(|| "EdDSA or ES256".into())
}

fn keys(text: &str) -> Result<Vec<NamedKey>, InvalidValue> {
    let keys = parse::list(text, key)?;
    if parse::has_duplicates(&keys.iter().map(|(id, _)| id).collect::<Vec<_>>()) {
        return Err("each key id only once".into());
    }
    Ok(keys)
}

/// Parses an HS256 key, which must be at least as long as the hash (RFC 7518, 3.2).
fn key(item: &str) -> Result<NamedKey, InvalidValue> {
    let read = || {
        let (id, key) = item.split_once(':')?;
        let key = decode_base64(key.trim()).filter(|key| key.len() >= 32)?;
        Some((id.trim().to_owned(), key)).filter(|(id, _)| parse::is_key_id(id))
    };
    read().ok_or_else(|| {
        "a list kid:base64,kid2:base64, each key of at least 32 bytes (RFC 7518, 3.2), each id of at most 32 letters, \
         digits, _ and -"
            .into()
    })
}

/// Invalid keys are reported separately, so any id is accepted with them.
fn active_key_id(text: &str, keys: Read<Option<&[NamedKey]>>) -> Result<String, InvalidValue> {
    let ids: Vec<&str> = match keys {
        Err(_) => return Ok(text.to_owned()),
        Ok(None) => return Err("nothing, as long as no keys are set".into()),
        Ok(Some(keys)) => keys.iter().map(|(id, _)| id.as_str()).collect(),
    };
    if ids.contains(&text) { Ok(text.to_owned()) } else { Err(ids.join(", ").into()) }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
