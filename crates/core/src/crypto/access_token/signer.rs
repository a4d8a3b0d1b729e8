//! Signing and verification with one key, parsed once: parsing an Ed25519 key costs as much as a signature.

use crate::crypto::signing_key::SigningKeyPair;
use crate::model::signing::SigningAlgorithm;
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use aws_lc_rs::signature::ParsedPublicKey;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::Algorithm;
use serde::Serialize;

/// The `typ` of assertions, which tells them from access tokens: the service accepts none as anything.
const ASSERTION_TYPE: &str = "gate+jwt";

/// Signs and verifies in the compact serialization (RFC 7515, 7.1), always with its own algorithm.
pub(super) struct Signer {
    secret: Secret,
    /// The encoded header and its dot, which every access token starts with.
    header: String,
    /// The same of assertions; shared secrets sign none, as everyone who verifies them could sign as well.
    assertion_header: Option<String>,
    /// The SHA-256 of the verification key: signers that share it accept the same tokens.
    fingerprint: [u8; 32],
}

enum Secret {
    KeyPair { algorithm: SigningAlgorithm, pair: Box<SigningKeyPair>, public: ParsedPublicKey },
    Hs256(Box<hmac::Key>),
}

/// The protected header (RFC 7515, 4).
#[derive(Serialize)]
struct Header<'a> {
    typ: &'a str,
    alg: &'a str,
    kid: &'a str,
}

impl Signer {
    /// Creates a signer for a key pair; `None` if its public key cannot be read.
    pub(super) fn key_pair(typ: &str, kid: &str, algorithm: SigningAlgorithm, pair: SigningKeyPair) -> Option<Self> {
        let fingerprint = fingerprint(pair.public_key());
        let public = pair.verifier()?;
        let secret = Secret::KeyPair { algorithm, pair: Box::new(pair), public };
        let assertion_header = header(ASSERTION_TYPE, algorithm.as_str(), kid);
        Some(Self { secret, header: header(typ, algorithm.as_str(), kid)?, assertion_header, fingerprint })
    }

    /// Creates a signer for a shared secret.
    pub(super) fn hs256(typ: &str, kid: &str, secret: &[u8]) -> Option<Self> {
        Some(Self {
            secret: Secret::Hs256(Box::new(hmac::Key::new(hmac::HMAC_SHA256, secret))),
            header: header(typ, "HS256", kid)?,
            assertion_header: None,
            fingerprint: fingerprint(secret),
        })
    }

    pub(super) fn sign(&self, claims: &impl Serialize) -> Result<String, SigningError> {
        self.sign_as(&self.header, claims)
    }

    /// Signs the claims and returns the assertion, unless this is a shared secret.
    pub(super) fn sign_assertion(&self, claims: &impl Serialize) -> Result<Option<String>, SigningError> {
        self.assertion_header.as_ref().map(|header| self.sign_as(header, claims)).transpose()
    }

    fn sign_as(&self, header: &str, claims: &impl Serialize) -> Result<String, SigningError> {
        let claims = serde_json::to_vec(claims).map_err(|_| SigningError::Signature)?;
        // Base64 takes four characters for three bytes, and no signature here is longer than 64 bytes.
        let mut token = String::with_capacity(header.len() + claims.len().div_ceil(3) * 4 + 88);
        token.push_str(header);
        URL_SAFE_NO_PAD.encode_string(claims, &mut token);
        let signature = match &self.secret {
            Secret::KeyPair { pair, .. } => {
                URL_SAFE_NO_PAD.encode(pair.sign(token.as_bytes()).ok_or(SigningError::Signature)?)
            }
            Secret::Hs256(key) => URL_SAFE_NO_PAD.encode(hmac::sign(key, token.as_bytes())),
        };
        token.push('.');
        token.push_str(&signature);
        Ok(token)
    }

    /// Whether the token begins with the header that this signer writes.
    pub(super) fn has_header_of(&self, token: &str) -> bool {
        token.starts_with(&self.header)
    }

    /// Whether the token carries a valid signature of this key.
    pub(super) fn verify_signature(&self, token: &str) -> bool {
        let Some((message, signature)) = token.rsplit_once('.') else { return false };
        let Ok(signature) = URL_SAFE_NO_PAD.decode(signature) else { return false };
        match &self.secret {
            Secret::KeyPair { public, .. } => public.verify_sig(message.as_bytes(), &signature).is_ok(),
            Secret::Hs256(key) => hmac::verify(key, message.as_bytes(), &signature).is_ok(),
        }
    }

    /// The only `alg` of this key's tokens (RFC 8725, 3.1).
    pub(super) fn algorithm(&self) -> Algorithm {
        match self.secret {
            Secret::KeyPair { algorithm: SigningAlgorithm::EdDsa, .. } => Algorithm::EdDSA,
            Secret::KeyPair { algorithm: SigningAlgorithm::Es256, .. } => Algorithm::ES256,
            Secret::Hs256(_) => Algorithm::HS256,
        }
    }

    /// Whether both have the same algorithm and verification key.
    pub(super) fn has_same_key_as(&self, other: &Signer) -> bool {
        self.algorithm() == other.algorithm() && self.fingerprint == other.fingerprint
    }
}

fn header(typ: &str, alg: &str, kid: &str) -> Option<String> {
    let header = serde_json::to_vec(&Header { typ, alg, kid }).ok()?;
    Some(URL_SAFE_NO_PAD.encode(header) + ".")
}

fn fingerprint(key: &[u8]) -> [u8; 32] {
    let mut fingerprint = [0; 32];
    fingerprint.copy_from_slice(digest(&SHA256, key).as_ref());
    fingerprint
}

/// Why a token could not be signed.
#[derive(Debug, thiserror::Error)]
pub enum SigningError {
    #[error("no signing key is active")]
    NoActiveKey,
    #[error("the access token could not be signed")]
    Signature,
}
