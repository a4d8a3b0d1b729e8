//! Six-digit codes in emails, an alternative to the link; stored only as a keyed hash.
//!
//! A million codes could be guessed. They are safe because of rate limits: each code allows five attempts within ten
//! minutes, and wrong codes are counted by address, a hundred a month (NIST SP 800-63B-4, 3.1.3.2 and 3.2.2).

use super::secret_keys::SecretKeys;
use crate::model::typed_digits;
use crate::model::verification::TokenPurpose;
use crate::random::{self, RandomError};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use std::fmt;
use uuid::Uuid;
use zeroize::Zeroizing;

const DIGITS: usize = 6;
const HASH_LEN: usize = 32;
const CODE_COUNT: u64 = 1_000_000;

pub struct MailCode(Zeroizing<String>);

impl MailCode {
    pub fn generate() -> Result<Self, RandomError> {
        // The modulo bias of 2^64 values is negligible.
        let number = u64::from_le_bytes(random::bytes()?) % CODE_COUNT;
        Ok(Self(Zeroizing::new(format!("{number:06}"))))
    }

    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MailCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MailCode")
    }
}

/// What a typed code is to those that were mailed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailCodeMatch {
    Right,
    /// The code of the email before the last.
    Replaced,
    Wrong,
}

impl SecretKeys {
    /// What is stored of a code, bound to `row`: its hash, then that of the code which it replaces, if `stored` is of one.
    pub fn hash_mail_code(&self, row: Uuid, code: &MailCode, stored: Option<&[u8]>) -> Vec<u8> {
        let hash = self.hash_token(TokenPurpose::MailCode, &bind_to_row(row, code.text()));
        let replaced = stored.and_then(|stored| stored.get(..HASH_LEN)).unwrap_or_default();
        [&hash, replaced].concat()
    }

    /// Compares a typed code with what is stored for `row`; constant time for every wrong code.
    pub fn verify_mail_code(&self, row: Uuid, typed: &str, stored: &[u8]) -> MailCodeMatch {
        let digits = typed_digits::code(typed);
        let hashes = self.token_hashes(TokenPurpose::MailCode, &bind_to_row(row, &digits));
        let (last, replaced) = stored.split_at(stored.len().min(HASH_LEN));
        // No short circuit: every hash is compared.
        let is =
            |stored| hashes.iter().fold(false, |found, hash| found | verify_slices_are_equal(hash, stored).is_ok());
        match (digits.len() == DIGITS, is(last), is(replaced)) {
            (true, true, _) => MailCodeMatch::Right,
            (true, false, true) => MailCodeMatch::Replaced,
            _ => MailCodeMatch::Wrong,
        }
    }
}

fn bind_to_row(row: Uuid, digits: &str) -> Zeroizing<String> {
    Zeroizing::new(format!("{row}:{digits}"))
}

#[cfg(test)]
#[path = "mail_code_tests.rs"]
mod tests;
