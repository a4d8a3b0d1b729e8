//! The public keys of a provider, a JWK set (RFC 7517, 5).

use super::algorithm::{IdTokenAlgorithm, KeyKind, SignatureRule};
use aws_lc_rs::signature::RsaPublicKeyComponents;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::Value;

/// Keys of a set. Providers have up to a dozen.
const MAX_KEYS: usize = 100;

/// The keys of a provider that can verify ID tokens. Keys of a kind that is not known here, keys for encryption and
/// malformed ones are left out (RFC 7517, 5).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdTokenKeys {
    pub(super) keys: Vec<IdTokenKey>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdTokenKeysError {
    /// It is no JSON object with a list `keys`.
    #[error("the keys are no JSON object with the list \"keys\"")]
    Malformed,
    #[error("the keys are more than {MAX_KEYS}")]
    Many,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IdTokenKey {
    pub(super) kid: Option<String>,
    /// The only algorithm that it is for (RFC 7517, 4.4); one that is not known here fits no token.
    alg: Option<String>,
    /// Whose tokens it signs; Microsoft states it of each key.
    pub(super) issuer: Option<String>,
    kind: KeyKind,
    material: Material,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Material {
    Rsa { n: Vec<u8>, e: Vec<u8> },
    Bytes(Vec<u8>),
}

/// A JWK as it is sent (RFC 7517, 4; RFC 7518, 6).
#[derive(Deserialize)]
struct SentKey {
    kty: String,
    r#use: Option<String>,
    key_ops: Option<Vec<String>>,
    alg: Option<String>,
    kid: Option<String>,
    issuer: Option<String>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
    n: Option<String>,
    e: Option<String>,
}

impl IdTokenKeys {
    pub fn parse(bytes: &[u8]) -> Result<Self, IdTokenKeysError> {
        #[derive(Deserialize)]
        struct SentKeys {
            keys: Vec<Value>,
        }
        let sent: SentKeys = serde_json::from_slice(bytes).map_err(|_| IdTokenKeysError::Malformed)?;
        if sent.keys.len() > MAX_KEYS {
            return Err(IdTokenKeysError::Many);
        }
        let read = |key: Value| serde_json::from_value::<SentKey>(key).ok().and_then(IdTokenKey::read);
        Ok(Self { keys: sent.keys.into_iter().filter_map(read).collect() })
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }
}

impl IdTokenKey {
    fn read(sent: SentKey) -> Option<Self> {
        let is_for_signatures = sent.r#use.as_deref().is_none_or(|purpose| purpose == "sig");
        let verifies = sent.key_ops.as_ref().is_none_or(|operations| operations.iter().any(|one| one == "verify"));
        if !is_for_signatures || !verifies {
            return None;
        }
        let kind = match (sent.kty.as_str(), sent.crv.as_deref()) {
            ("RSA", _) => KeyKind::Rsa,
            ("EC", Some("P-256")) => KeyKind::P256,
            ("EC", Some("P-384")) => KeyKind::P384,
            ("EC", Some("P-521")) => KeyKind::P521,
            ("OKP", Some("Ed25519")) => KeyKind::Ed25519,
            _ => return None,
        };
        let material = match kind.coordinate_bytes() {
            None => Material::Rsa { n: number(sent.n.as_deref()?)?, e: number(sent.e.as_deref()?)? },
            Some(length) if kind == KeyKind::Ed25519 => Material::Bytes(bytes(sent.x.as_deref()?, length)?),
            Some(length) => {
                let (x, y) = (coordinate(sent.x.as_deref()?, length)?, coordinate(sent.y.as_deref()?, length)?);
                // An uncompressed point (SEC 1, 2.3.3).
                Material::Bytes([&[4], x.as_slice(), y.as_slice()].concat())
            }
        };
        Some(Self { kid: sent.kid, alg: sent.alg, issuer: sent.issuer, kind, material })
    }

    /// Whether tokens with this algorithm may be signed by this key.
    pub(super) fn fits(&self, algorithm: IdTokenAlgorithm) -> bool {
        self.kind == algorithm.key_kind() && self.alg.as_deref().is_none_or(|alg| alg == algorithm.as_str())
    }

    /// Whether the signature of the message is of this key, which fits the algorithm.
    pub(super) fn verifies(&self, algorithm: IdTokenAlgorithm, message: &[u8], signature: &[u8]) -> bool {
        match (algorithm.check(), &self.material) {
            (SignatureRule::Rsa(parameters), Material::Rsa { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature).is_ok()
            }
            (SignatureRule::Bytes(check), Material::Bytes(key)) => check.verify_sig(key, message, signature).is_ok(),
            _ => false,
        }
    }
}

/// A number without leading zeros, which some providers write and the library refuses.
fn number(text: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    Some(bytes.get(zeros..)?.to_vec()).filter(|bytes| !bytes.is_empty())
}

/// A coordinate that needs more padding is of another curve: on its own curve, one key in 2³⁹ would need it.
const MOST_ZEROS: usize = 4;

/// A coordinate, padded with zeros to its length. RFC 7518 (6.2.1.2) demands leading zeros, but some providers, such as
/// Glewlwyd, leave them out; a coordinate of one key in 128 begins with one.
fn coordinate(text: &str, length: usize) -> Option<Vec<u8>> {
    let number = number(text)?;
    let zeros = length.checked_sub(number.len()).filter(|zeros| *zeros <= MOST_ZEROS)?;
    Some([vec![0; zeros], number].concat())
}

fn bytes(text: &str, length: usize) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok().filter(|bytes| bytes.len() == length)
}

#[cfg(test)]
#[path = "key_set_tests.rs"]
mod tests;
