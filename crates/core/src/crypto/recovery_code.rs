//! Single-use recovery codes, for users who lost their second factor.

use crate::random::{self, RandomError};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use std::fmt;
use zeroize::Zeroizing;

/// Letters and digits, without look-alikes.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz234567890";
/// 16 of 32 characters: 80 bits, so an unkeyed hash resists brute force (NIST SP 800-63B-4, 3.1.2: at least 64).
const LENGTH: usize = 16;
const GROUP_LEN: usize = 4;

pub struct RecoveryCode(Zeroizing<String>);

impl RecoveryCode {
    pub fn generate() -> Result<Self, RandomError> {
        let bytes = Zeroizing::new(random::bytes::<LENGTH>()?);
        Ok(Self(Zeroizing::new(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())))
    }

    /// Parses a typed code, ignoring case, spaces and hyphens; O is read as zero. `None` if it is malformed.
    pub fn parse(typed: &str) -> Option<Self> {
        let letters = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_lowercase());
        let letters = letters.map(|letter| if letter == 'o' { '0' } else { letter });
        let code: Zeroizing<String> = Zeroizing::new(letters.take(LENGTH + 1).collect());
        let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
        is_code.then_some(Self(code))
    }

    /// Formats the code in groups of four, separated by hyphens.
    pub fn formatted(&self) -> Zeroizing<String> {
        let mut formatted = Zeroizing::new(String::with_capacity(LENGTH + LENGTH / GROUP_LEN));
        for (index, letter) in self.0.chars().enumerate() {
            if index > 0 && index % GROUP_LEN == 0 {
                formatted.push('-');
            }
            formatted.push(letter);
        }
        formatted
    }

    /// The SHA-256 of the code, to be sealed and stored. Unlike a keyed hash, it can be resealed with another secret
    /// key.
    pub fn hash(&self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest(&SHA256, self.0.as_bytes()).as_ref());
        hash
    }

    /// Whether the code has this hash; constant time.
    pub fn has_hash(&self, hash: &[u8]) -> bool {
        verify_slices_are_equal(&self.hash(), hash).is_ok()
    }
}

/// Omits the code.
impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode")
    }
}

#[cfg(test)]
#[path = "recovery_code_tests.rs"]
mod tests;
