//! Recovery codes: for those who lost their second factor, each good for one time.

use crate::random::{self, RandomError};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use std::fmt;
use zeroize::Zeroizing;

/// Letters and digits that are not mistaken for one another.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz234567890";
/// 16 of 32 letters: 80 bits, so that a plain hash cannot be searched (NIST SP 800-63B-4, 3.1.2: at least 64).
const LENGTH: usize = 16;
const GROUP: usize = 4;

/// A recovery code.
pub struct RecoveryCode(Zeroizing<String>);

impl RecoveryCode {
    /// A new code.
    pub fn generate() -> Result<Self, RandomError> {
        let bytes = Zeroizing::new(random::bytes::<LENGTH>()?);
        Ok(Self(Zeroizing::new(bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect())))
    }

    /// What somebody typed; case, spaces and hyphens do not matter, and an O is a zero. `None` if it is no code at all.
    pub fn parse(typed: &str) -> Option<Self> {
        let letters = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').map(|c| c.to_ascii_lowercase());
        let letters = letters.map(|letter| if letter == 'o' { '0' } else { letter });
        let code: Zeroizing<String> = Zeroizing::new(letters.take(LENGTH + 1).collect());
        let is_code = code.len() == LENGTH && code.bytes().all(|byte| ALPHABET.contains(&byte));
        is_code.then_some(Self(code))
    }

    /// The code as it is shown: groups of four with hyphens between them.
    pub fn shown(&self) -> Zeroizing<String> {
        let mut shown = Zeroizing::new(String::with_capacity(LENGTH + LENGTH / GROUP));
        for (place, letter) in self.0.chars().enumerate() {
            if place > 0 && place % GROUP == 0 {
                shown.push('-');
            }
            shown.push(letter);
        }
        shown
    }

    /// What is sealed and stored: its SHA-256. A keyed hash could not move to another secret key; a sealed one can.
    pub fn hash(&self) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest(&SHA256, self.0.as_bytes()).as_ref());
        hash
    }

    /// Whether the code has this hash; compares in constant time.
    pub fn has_hash(&self, hash: &[u8]) -> bool {
        verify_slices_are_equal(&self.hash(), hash).is_ok()
    }
}

/// Without the code.
impl fmt::Debug for RecoveryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecoveryCode")
    }
}

#[cfg(test)]
#[path = "recovery_code_tests.rs"]
mod tests;
