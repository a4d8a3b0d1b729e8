//! Encryption of secrets at rest, authenticated and bound to the place where they are stored.
//!
//! AES-256-GCM-SIV (RFC 8452) with random 96-bit nonces. Unlike with GCM, a repeated nonce reveals at most that the
//! same plaintext was sealed twice for the same place; RFC 8452, 9 limits random nonces to 2^48 values for each key.
//! Sealed are signing keys, second factors and queued emails, far fewer than that.
//!
//! A sealed value is a version byte, the key's id, the nonce, and the ciphertext with its tag.

use super::secret_keys::{KeyId, SecretKeys};
use crate::random::{self, RandomError};
use aws_lc_rs::aead::{Aad, NONCE_LEN, Nonce};
use zeroize::Zeroizing;

const VERSION: u8 = 1;
const CHECK_CONTEXT: SealContext<'static> = SealContext { table: "instance", row: b"", column: "key_check" };
const CHECK_PLAINTEXT: &[u8] = b"doorward";

/// Where a sealed value is stored. It is authenticated, so a value copied to another place does not open.
#[derive(Clone, Copy, Debug)]
pub struct SealContext<'a> {
    pub table: &'static str,
    /// The row's primary key.
    pub row: &'a [u8],
    pub column: &'static str,
}

impl SealContext<'_> {
    /// Length-prefixed parts, so that no two contexts encode to the same bytes.
    fn associated_data(&self) -> Aad<Vec<u8>> {
        let mut data = vec![VERSION];
        for part in [self.table.as_bytes(), self.row, self.column.as_bytes()] {
            data.extend_from_slice(&(part.len() as u64).to_be_bytes());
            data.extend_from_slice(part);
        }
        Aad::from(data)
    }
}

/// Why a value could not be sealed.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error(transparent)]
    Random(#[from] RandomError),
    #[error("the value could not be encrypted")]
    Encryption,
}

/// Why a sealed value could not be opened.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// It was sealed with a key that is not configured.
    #[error("the value was sealed with secret key {0}, which is not configured")]
    UnknownKey(KeyId),
    /// It is damaged, or was sealed for another context or by a later version.
    #[error("the sealed value is damaged or belongs elsewhere")]
    Corrupt,
}

struct SealedValue<'a> {
    key: KeyId,
    nonce: [u8; NONCE_LEN],
    ciphertext: &'a [u8],
}

impl<'a> SealedValue<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&[VERSION])?;
        let (key, rest) = rest.split_first_chunk()?;
        let (nonce, ciphertext) = rest.split_first_chunk()?;
        Some(Self { key: KeyId::from_bytes(*key), nonce: *nonce, ciphertext })
    }
}

impl SecretKeys {
    /// Encrypts `plaintext` for `context` with the first key.
    pub fn seal(&self, context: &SealContext<'_>, plaintext: &[u8]) -> Result<Vec<u8>, SealError> {
        let nonce = random::bytes::<NONCE_LEN>()?;
        let mut buffer = Zeroizing::new(plaintext.to_vec());
        let tag = self
            .first
            .seal
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(nonce),
                context.associated_data(),
                buffer.as_mut_slice(),
            )
            .map_err(|_| SealError::Encryption)?;
        Ok([&[VERSION], self.first.id.as_bytes().as_slice(), &nonce, &buffer, tag.as_ref()].concat())
    }

    /// Decrypts a value that was sealed for `context` with any known key.
    pub fn open(&self, context: &SealContext<'_>, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, OpenError> {
        let sealed = SealedValue::parse(sealed).ok_or(OpenError::Corrupt)?;
        let keys = self.with_id(sealed.key).ok_or(OpenError::UnknownKey(sealed.key))?;
        let nonce = Nonce::assume_unique_for_key(sealed.nonce);
        let mut buffer = Zeroizing::new(sealed.ciphertext.to_vec());
        let opened = keys.seal.open_in_place(nonce, context.associated_data(), &mut buffer);
        let length = opened.map_err(|_| OpenError::Corrupt)?.len();
        buffer.truncate(length);
        Ok(buffer)
    }

    /// Whether a value was sealed with another key or version than [`SecretKeys::seal`] uses now.
    pub fn needs_reseal(&self, sealed: &[u8]) -> bool {
        SealedValue::parse(sealed).is_none_or(|sealed| sealed.key != self.first.id)
    }

    /// Seals a check value, which shows later whether the configured keys belong to the database.
    pub fn check_value(&self) -> Result<Vec<u8>, SealError> {
        self.seal(&CHECK_CONTEXT, CHECK_PLAINTEXT)
    }

    /// Whether this check value was sealed with one of the keys.
    pub fn verify_check_value(&self, check: &[u8]) -> bool {
        self.open(&CHECK_CONTEXT, check).is_ok_and(|value| value.as_slice() == CHECK_PLAINTEXT)
    }
}

#[cfg(test)]
#[path = "seal_tests.rs"]
mod tests;
