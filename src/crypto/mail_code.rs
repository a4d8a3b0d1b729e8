//! Six digits that stand in a mail, to be typed instead of following its link; stored only as a keyed hash.
//!
//! A million codes are few: what makes them good is that each is tried at most five times within ten minutes, and that a
//! hundred wrong ones end them for good (NIST SP 800-63B-4, 3.1.3.2 and 3.2.2).

use super::secret_keys::SecretKeys;
use crate::model::verification::TokenPurpose;
use crate::random::{self, RandomError};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use std::fmt;
use uuid::Uuid;
use zeroize::Zeroizing;

const DIGITS: usize = 6;
const CODES: u64 = 1_000_000;

/// A code as it stands in a mail.
pub struct MailCode(Zeroizing<String>);

impl MailCode {
    /// A new code.
    pub fn generate() -> Result<Self, RandomError> {
        // Of 2^64 numbers the remainders are as good as equally frequent.
        let number = u64::from_le_bytes(random::bytes()?) % CODES;
        Ok(Self(Zeroizing::new(format!("{number:06}"))))
    }

    /// The digits.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MailCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MailCode")
    }
}

impl SecretKeys {
    /// What is stored of a code, which is worth something only for `row`.
    pub fn hash_mail_code(&self, row: Uuid, code: &MailCode) -> [u8; 32] {
        self.hash_token(TokenPurpose::MailCode, &bound(row, code.text()))
    }

    /// Whether what was typed is the code that is stored for `row`; blanks and hyphens do not matter. Takes the same time
    /// for every wrong code.
    pub fn is_mail_code(&self, row: Uuid, typed: &str, stored: &[u8]) -> bool {
        let digits: String = typed.chars().filter(|c| !c.is_whitespace() && *c != '-').take(DIGITS + 1).collect();
        let hashes = self.token_hashes(TokenPurpose::MailCode, &bound(row, &digits));
        // Every hash is looked at, whatever the others were.
        let equal = hashes.iter().fold(false, |found, hash| found | verify_slices_are_equal(hash, stored).is_ok());
        digits.len() == DIGITS && equal
    }
}

fn bound(row: Uuid, digits: &str) -> Zeroizing<String> {
    Zeroizing::new(format!("{row}:{digits}"))
}

#[cfg(test)]
#[path = "mail_code_tests.rs"]
mod tests;
