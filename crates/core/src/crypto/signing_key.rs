//! The keys that sign access tokens (RFC 8032; FIPS 186-5), and their JWKs (RFC 7517, RFC 7518, RFC 8037).

use crate::model::signing::SigningAlgorithm;
use crate::random::{self, RandomError};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, ED25519, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    ParsedPublicKey,
};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use std::fmt;
use zeroize::Zeroizing;

/// Why a key could not be generated or read.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The stored key is none of its algorithm.
    #[error("the signing key is not a private key for {} in PKCS#8", .0.as_str())]
    Invalid(SigningAlgorithm),
}

pub enum SigningKeyPair {
    Ed25519(Ed25519KeyPair),
    P256(EcdsaKeyPair),
}

impl SigningKeyPair {
    pub fn from_pkcs8(algorithm: SigningAlgorithm, private_key: &[u8]) -> Result<Self, SigningKeyError> {
        match algorithm {
            SigningAlgorithm::EdDsa => Ed25519KeyPair::from_pkcs8(private_key).map(Self::Ed25519),
            SigningAlgorithm::Es256 => {
                EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, private_key).map(Self::P256)
            }
        }
        .map_err(|_| SigningKeyError::Invalid(algorithm))
    }

    /// The public key: 32 bytes for `EdDSA`, an uncompressed point of 65 bytes for ES256.
    pub fn public_key(&self) -> &[u8] {
        match self {
            Self::Ed25519(pair) => pair.public_key().as_ref(),
            Self::P256(pair) => pair.public_key().as_ref(),
        }
    }

    pub fn verifier(&self) -> Option<ParsedPublicKey> {
        match self {
            Self::Ed25519(_) => ParsedPublicKey::new(&ED25519, self.public_key()),
            Self::P256(_) => ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, self.public_key()),
        }
        .ok()
    }

    /// The signature as JWS wants it: for ES256, the two numbers of 32 bytes each (RFC 7518, 3.4).
    pub fn sign(&self, message: &[u8]) -> Option<aws_lc_rs::signature::Signature> {
        match self {
            Self::Ed25519(pair) => Some(pair.sign(message)),
            Self::P256(pair) => pair.sign_digest(&digest(&SHA256, message)).ok(),
        }
    }

    /// The key as a JWK; its id is its thumbprint, which is unique.
    pub fn jwk(&self) -> Jwk {
        let public_key = self.public_key();
        match self {
            Self::Ed25519(_) => Jwk::new(SigningAlgorithm::EdDsa, "OKP", "Ed25519", public_key, None),
            Self::P256(_) => {
                // After the byte 4 of an uncompressed point (SEC 1, 2.3.3) come its two coordinates.
                let (x, y) = public_key[1..].split_at(32);
                Jwk::new(SigningAlgorithm::Es256, "EC", "P-256", x, Some(y))
            }
        }
    }
}

pub struct SigningKey {
    pub kid: String,
    /// The public key, as [`SigningKeyPair::public_key`] has it.
    pub public_key: Vec<u8>,
    /// The private key in PKCS#8 (RFC 5958, RFC 8410, RFC 5915).
    pub private_key: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("kid", &self.kid).finish_non_exhaustive()
    }
}

pub fn generate(algorithm: SigningAlgorithm) -> Result<SigningKey, SigningKeyError> {
    let invalid = |_| SigningKeyError::Invalid(algorithm);
    match algorithm {
        SigningAlgorithm::EdDsa => {
            let seed = Zeroizing::new(random::bytes::<32>()?);
            let pair = Ed25519KeyPair::from_seed_unchecked(seed.as_ref()).map_err(|_| RandomError)?;
            new_key(algorithm, pair.to_pkcs8v1().map_err(invalid)?.as_ref())
        }
        // A random number is not yet a key for P-256, unlike for Ed25519: the crypto library draws one that is.
        SigningAlgorithm::Es256 => {
            let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(|_| RandomError)?;
            new_key(algorithm, pair.to_pkcs8v1().map_err(invalid)?.as_ref())
        }
    }
}

fn new_key(algorithm: SigningAlgorithm, private_key: &[u8]) -> Result<SigningKey, SigningKeyError> {
    let pair = SigningKeyPair::from_pkcs8(algorithm, private_key)?;
    Ok(SigningKey {
        kid: pair.jwk().kid,
        public_key: pair.public_key().to_vec(),
        private_key: Zeroizing::new(private_key.to_vec()),
    })
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Jwk {
    kty: &'static str,
    crv: &'static str,
    x: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<String>,
    pub kid: String,
    alg: &'static str,
    r#use: &'static str,
}

impl Jwk {
    fn new(algorithm: SigningAlgorithm, kty: &'static str, crv: &'static str, x: &[u8], y: Option<&[u8]>) -> Self {
        let (x, y) = (URL_SAFE_NO_PAD.encode(x), y.map(|y| URL_SAFE_NO_PAD.encode(y)));
        Self { kid: thumbprint(kty, crv, &x, y.as_deref()), kty, crv, x, y, alg: algorithm.as_str(), r#use: "sig" }
    }
}

/// The JWK thumbprint (RFC 7638, 3.2; RFC 8037, 2), in base64url.
fn thumbprint(kty: &str, crv: &str, x: &str, y: Option<&str>) -> String {
    let y = y.map(|y| format!(r#","y":"{y}""#)).unwrap_or_default();
    let canonical = format!(r#"{{"crv":"{crv}","kty":"{kty}","x":"{x}"{y}}}"#);
    URL_SAFE_NO_PAD.encode(digest(&SHA256, canonical.as_bytes()))
}

#[cfg(test)]
#[path = "signing_key_tests.rs"]
mod tests;
