//! The service's own secret keys (`SVC_SECRET_KEY`) and the purpose keys derived from them.

use crate::model::hex;
use crate::random::{self, RandomError};
use crate::settings::SecretKeySetting;
use aws_lc_rs::aead::{AES_256_GCM_SIV, LessSafeKey, UnboundKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::fmt;
use zeroize::Zeroizing;

// Stored data depends on these labels: never change them. A new purpose needs a new label.
const SALT: &[u8] = b"doorward secret key";
const INFO_KEY_ID: &[u8] = b"key id 1";
const INFO_SEAL: &[u8] = b"seal 1: AES-256-GCM-SIV";
const INFO_REFRESH_TOKEN: &[u8] = b"refresh token 1: HMAC-SHA-256";
const INFO_TOKEN_HASH: &[u8] = b"token hash 1: HMAC-SHA-256";

/// Identifies a secret key in stored data without revealing anything about it.
///
/// It is derived from the key, so operators may rename and reorder keys freely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId([u8; KeyId::LEN]);

impl KeyId {
    /// Length in bytes.
    pub const LEN: usize = 4;

    pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
        Self(bytes)
    }

    pub const fn as_bytes(&self) -> &[u8; Self::LEN] {
        &self.0
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(&self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The keys derived from one secret key, one for each purpose (key separation).
pub(super) struct PurposeKeys {
    pub(super) id: KeyId,
    pub(super) seal: LessSafeKey,
    pub(super) refresh_token: hmac::Key,
    pub(super) token_hash: hmac::Key,
}

impl PurposeKeys {
    /// HKDF with SHA-256 (RFC 5869).
    fn derive(secret: &[u8; 32]) -> Result<Self, Unspecified> {
        let root = Salt::new(HKDF_SHA256, SALT).extract(secret);
        Ok(Self {
            id: key_id(&root)?,
            seal: LessSafeKey::new(UnboundKey::from(root.expand(&[INFO_SEAL], &AES_256_GCM_SIV)?)),
            refresh_token: hmac::Key::from(root.expand(&[INFO_REFRESH_TOKEN], hmac::HMAC_SHA256)?),
            token_hash: hmac::Key::from(root.expand(&[INFO_TOKEN_HASH], hmac::HMAC_SHA256)?),
        })
    }
}

fn key_id(root: &Prk) -> Result<KeyId, Unspecified> {
    struct Length;
    impl KeyType for Length {
        fn len(&self) -> usize {
            KeyId::LEN
        }
    }
    let mut id = [0; KeyId::LEN];
    root.expand(&[INFO_KEY_ID], Length)?.fill(&mut id)?;
    Ok(KeyId(id))
}

/// The secret keys of a deployment: the first one seals and signs, all open and verify.
pub struct SecretKeys {
    pub(super) first: PurposeKeys,
    others: Vec<PurposeKeys>,
}

/// Why the configured keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SecretKeysError {
    #[error("no secret key is given")]
    None,
    /// A key is listed twice, possibly under two names.
    #[error("the same secret key is given twice")]
    Repeated,
    /// The crypto library failed to derive the purpose keys.
    #[error("the purpose keys cannot be derived")]
    Derivation,
    #[error(transparent)]
    Random(#[from] RandomError),
}

impl From<Unspecified> for SecretKeysError {
    fn from(_: Unspecified) -> Self {
        SecretKeysError::Derivation
    }
}

impl SecretKeys {
    /// Derives the purpose keys of each key in `settings`; the first one seals and signs.
    pub fn new(settings: &[SecretKeySetting]) -> Result<Self, SecretKeysError> {
        let (first, others) = settings.split_first().ok_or(SecretKeysError::None)?;
        let mut keys = Self { first: PurposeKeys::derive(&first.key)?, others: Vec::with_capacity(others.len()) };
        for other in others {
            let derived = PurposeKeys::derive(&other.key)?;
            if keys.with_id(derived.id).is_some() {
                return Err(SecretKeysError::Repeated);
            }
            keys.others.push(derived);
        }
        Ok(keys)
    }

    /// Generates a random key. Also returns the contents of its file: base64 and a newline.
    pub fn generate() -> Result<(Self, Zeroizing<String>), SecretKeysError> {
        let key = Zeroizing::new(random::bytes::<32>()?);
        let mut text = Zeroizing::new(STANDARD.encode(*key));
        text.push('\n');
        Ok((Self::new(&[SecretKeySetting { id: None, key }])?, text))
    }

    /// The ids of all keys, in the configured order.
    pub fn key_ids(&self) -> impl Iterator<Item = KeyId> {
        self.all().map(|key| key.id)
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &PurposeKeys> {
        std::iter::once(&self.first).chain(&self.others)
    }

    pub(super) fn with_id(&self, id: KeyId) -> Option<&PurposeKeys> {
        self.all().find(|key| key.id == id)
    }
}

impl fmt::Debug for SecretKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SecretKeys").field(&self.key_ids().collect::<Vec<_>>()).finish()
    }
}

#[cfg(test)]
#[path = "secret_keys_tests.rs"]
mod tests;
