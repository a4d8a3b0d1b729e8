//! Secrets at rest: encrypted, authenticated, and bound to the place where they are stored.
//!
//! AES-256-GCM-SIV (RFC 8452) with random 96-bit nonces. Unlike GCM, a repeated nonce tells at most that the same
//! plaintext was sealed for the same place twice; RFC 8452, 9 puts the limit for random nonces at 2^48 values a key.
//! What is sealed here are signing keys, second factors and queued mails: no instance comes near.
//!
//! A sealed value is a version byte, the key's id, the nonce, and the ciphertext with its tag.

use super::secret_keys::{KeyId, SecretKeys};
use crate::random::{self, RandomError};
use aws_lc_rs::aead::{Aad, NONCE_LEN, Nonce};
use zeroize::Zeroizing;

const VERSION: u8 = 1;
const CHECK_PLACE: Place<'static> = Place { table: "instance", row: b"", column: "key_check" };
const CHECK: &[u8] = b"doorward";

/// Where a sealed value is stored. A value copied to another place does not open there.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The table's name.
    pub table: &'static str,
    /// The row's primary key.
    pub row: &'a [u8],
    /// The column's name.
    pub column: &'static str,
}

impl Place<'_> {
    /// Each part with its length before it, so that no two places give the same bytes.
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
    /// There is no nonce to be had.
    #[error(transparent)]
    Random(#[from] RandomError),
    /// The crypto library refused.
    #[error("the value could not be encrypted")]
    Encryption,
}

/// Why a sealed value could not be opened.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// It was sealed with a key that is not configured.
    #[error("the value was sealed with secret key {0}, which is not configured")]
    UnknownKey(KeyId),
    /// It is damaged, was made for another place, or by a later version.
    #[error("the sealed value is damaged or belongs elsewhere")]
    Corrupt,
}

struct Sealed<'a> {
    key: KeyId,
    nonce: [u8; NONCE_LEN],
    ciphertext: &'a [u8],
}

impl<'a> Sealed<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&[VERSION])?;
        let (key, rest) = rest.split_first_chunk()?;
        let (nonce, ciphertext) = rest.split_first_chunk()?;
        Some(Self { key: KeyId::from_bytes(*key), nonce: *nonce, ciphertext })
    }
}

impl SecretKeys {
    /// Encrypts `plaintext` for `place` with the first key.
    pub fn seal(&self, place: &Place<'_>, plaintext: &[u8]) -> Result<Vec<u8>, SealError> {
        let nonce = random::bytes::<NONCE_LEN>()?;
        let mut buffer = Zeroizing::new(plaintext.to_vec());
        let tag = self
            .first
            .seal
            .seal_in_place_separate_tag(
                Nonce::assume_unique_for_key(nonce),
                place.associated_data(),
                buffer.as_mut_slice(),
            )
            .map_err(|_| SealError::Encryption)?;
        Ok([&[VERSION], self.first.id.as_bytes().as_slice(), &nonce, &buffer, tag.as_ref()].concat())
    }

    /// Decrypts what was sealed for `place` with any known key.
    pub fn open(&self, place: &Place<'_>, sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, OpenError> {
        let sealed = Sealed::read(sealed).ok_or(OpenError::Corrupt)?;
        let keys = self.with_id(sealed.key).ok_or(OpenError::UnknownKey(sealed.key))?;
        let nonce = Nonce::assume_unique_for_key(sealed.nonce);
        let mut buffer = Zeroizing::new(sealed.ciphertext.to_vec());
        let opened = keys.seal.open_in_place(nonce, place.associated_data(), &mut buffer);
        let length = opened.map_err(|_| OpenError::Corrupt)?.len();
        buffer.truncate(length);
        Ok(buffer)
    }

    /// Whether a value was sealed otherwise than [`SecretKeys::seal`] does now: with another key or in another version.
    pub fn needs_reseal(&self, sealed: &[u8]) -> bool {
        Sealed::read(sealed).is_none_or(|sealed| sealed.key != self.first.id)
    }

    /// A value that tells later whether the configured keys are those that the database was made with.
    pub fn check_value(&self) -> Result<Vec<u8>, SealError> {
        self.seal(&CHECK_PLACE, CHECK)
    }

    /// Whether one of the keys made this check value.
    pub fn opens_check(&self, check: &[u8]) -> bool {
        self.open(&CHECK_PLACE, check).is_ok_and(|value| value.as_slice() == CHECK)
    }
}

#[cfg(test)]
#[path = "seal_tests.rs"]
mod tests;
