//! Ed25519 keys that sign access tokens (RFC 8032), and their JWKs (RFC 7517, RFC 8037).

use crate::random::{self, RandomError};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use std::fmt;
use zeroize::Zeroizing;

/// Length of a public key in bytes.
pub const PUBLIC_KEY_LEN: usize = 32;

/// Why a key could not be generated or read.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    /// No random bytes were available.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The stored key is not an Ed25519 key.
    #[error("the signing key is not an Ed25519 private key in PKCS#8")]
    Invalid,
}

/// A key pair.
pub struct SigningKey {
    /// The key id: the thumbprint of the public key, which is unique.
    pub kid: String,
    /// The public key.
    pub public_key: [u8; PUBLIC_KEY_LEN],
    /// The private key in PKCS#8 (RFC 8410).
    pub private_key: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

/// Generates a random key.
pub fn generate() -> Result<SigningKey, SigningKeyError> {
    from_seed(&Zeroizing::new(random::bytes::<32>()?))
}

fn from_seed(seed: &[u8; 32]) -> Result<SigningKey, SigningKeyError> {
    let pair = Ed25519KeyPair::from_seed_unchecked(seed).map_err(|_| SigningKeyError::Invalid)?;
    let document = pair.to_pkcs8v1().map_err(|_| SigningKeyError::Invalid)?;
    from_pkcs8(document.as_ref())
}

/// Reads a private key and derives the public key and id.
pub fn from_pkcs8(private_key: &[u8]) -> Result<SigningKey, SigningKeyError> {
    let pair = Ed25519KeyPair::from_pkcs8(private_key).map_err(|_| SigningKeyError::Invalid)?;
    let public_key = pair.public_key().as_ref().try_into().map_err(|_| SigningKeyError::Invalid)?;
    Ok(SigningKey { kid: thumbprint(&public_key), public_key, private_key: Zeroizing::new(private_key.to_vec()) })
}

/// The JWK thumbprint (RFC 7638 with the members of RFC 8037, 2), in base64url.
pub fn thumbprint(public_key: &[u8; PUBLIC_KEY_LEN]) -> String {
    let x = URL_SAFE_NO_PAD.encode(public_key);
    let canonical = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
    URL_SAFE_NO_PAD.encode(digest(&SHA256, canonical.as_bytes()))
}

/// A public key as a JWK.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Jwk {
    kty: &'static str,
    crv: &'static str,
    x: String,
    kid: String,
    alg: &'static str,
    r#use: &'static str,
}

impl Jwk {
    /// The JWK of an Ed25519 public key.
    pub fn ed25519(kid: &str, public_key: &[u8; PUBLIC_KEY_LEN]) -> Self {
        Self {
            kty: "OKP",
            crv: "Ed25519",
            x: URL_SAFE_NO_PAD.encode(public_key),
            kid: kid.to_owned(),
            alg: "EdDSA",
            r#use: "sig",
        }
    }
}

#[cfg(test)]
#[path = "signing_key_tests.rs"]
mod tests;
