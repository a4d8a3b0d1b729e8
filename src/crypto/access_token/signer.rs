//! Signing and verification with one key, parsed once: parsing an Ed25519 key costs as much as a signature.

use crate::crypto::signing_key::PUBLIC_KEY_LEN;
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac;
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, ParsedPublicKey};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;

/// Signs and verifies in the compact serialization (RFC 7515, 7.1), always with its own algorithm.
pub(super) struct Signer {
    secret: Secret,
    /// The encoded header and its dot, which every token starts with.
    header: String,
    /// The SHA-256 of the verification key: signers that share it accept the same tokens.
    fingerprint: [u8; 32],
}

enum Secret {
    Ed25519 { pair: Ed25519KeyPair, public: ParsedPublicKey },
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
    /// Parses an Ed25519 key pair in PKCS#8; `None` if it is invalid.
    pub(super) fn ed25519(typ: &str, kid: &str, pkcs8: &[u8], public_key: &[u8; PUBLIC_KEY_LEN]) -> Option<Self> {
        let pair = Ed25519KeyPair::from_pkcs8(pkcs8).ok()?;
        let public = ParsedPublicKey::new(&ED25519, public_key).ok()?;
        Some(Self {
            secret: Secret::Ed25519 { pair, public },
            header: header(typ, "EdDSA", kid)?,
            fingerprint: fingerprint(public_key),
        })
    }

    /// Creates a signer for a shared secret.
    pub(super) fn hs256(typ: &str, kid: &str, secret: &[u8]) -> Option<Self> {
        Some(Self {
            secret: Secret::Hs256(Box::new(hmac::Key::new(hmac::HMAC_SHA256, secret))),
            header: header(typ, "HS256", kid)?,
            fingerprint: fingerprint(secret),
        })
    }

    /// Signs the claims and returns the token.
    pub(super) fn sign(&self, claims: &impl Serialize) -> Result<String, SigningError> {
        let claims = serde_json::to_vec(claims).map_err(|_| SigningError::Signature)?;
        // Base64 takes four characters for three bytes, and no signature here is longer than 64 bytes.
        let mut token = String::with_capacity(self.header.len() + claims.len().div_ceil(3) * 4 + 88);
        token.push_str(&self.header);
        URL_SAFE_NO_PAD.encode_string(claims, &mut token);
        let signature = match &self.secret {
            Secret::Ed25519 { pair, .. } => URL_SAFE_NO_PAD.encode(pair.sign(token.as_bytes())),
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
            Secret::Ed25519 { public, .. } => public.verify_sig(message.as_bytes(), &signature).is_ok(),
            Secret::Hs256(key) => hmac::verify(key, message.as_bytes(), &signature).is_ok(),
        }
    }

    /// Whether both have the same algorithm and verification key.
    pub(super) fn has_same_key_as(&self, other: &Signer) -> bool {
        std::mem::discriminant(&self.secret) == std::mem::discriminant(&other.secret)
            && self.fingerprint == other.fingerprint
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
    /// No key is active now.
    #[error("no signing key is active")]
    NoActiveKey,
    /// Serialization or signing failed.
    #[error("the access token could not be signed")]
    Signature,
}
