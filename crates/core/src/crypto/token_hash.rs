//! Random tokens for mailed links and login cookies, stored only as a keyed hash.

use super::secret_keys::{PurposeKeys, SecretKeys};
use crate::model::verification::TokenPurpose;
use crate::random::{self, RandomError};
use aws_lc_rs::{digest, hmac};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::fmt;
use zeroize::Zeroizing;

/// A token of 256 random bits in base64url.
pub struct LinkToken(Zeroizing<String>);

impl LinkToken {
    pub fn generate() -> Result<Self, RandomError> {
        let bytes = Zeroizing::new(random::bytes::<32>()?);
        Ok(Self(Zeroizing::new(URL_SAFE_NO_PAD.encode(*bytes))))
    }

    /// A token that was presented, if it has the form of one.
    pub fn parse(text: &str) -> Option<Self> {
        Self::has_form_of(text).then(|| Self(Zeroizing::new(text.to_owned())))
    }

    /// Whether a text may be a token: 32 bytes in base64url.
    pub fn has_form_of(text: &str) -> bool {
        let mut bytes = Zeroizing::new([0; 33]);
        text.len() == 43 && URL_SAFE_NO_PAD.decode_slice(text, bytes.as_mut_slice()).is_ok()
    }

    /// The stored form that a process with another key must find, too: 256 random bits cannot be guessed.
    pub fn hash_without_key(text: &str) -> [u8; 32] {
        let mut hash = [0; 32];
        hash.copy_from_slice(digest::digest(&digest::SHA256, text.as_bytes()).as_ref());
        hash
    }

    /// The token as text, 43 characters.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for LinkToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkToken")
    }
}

impl SecretKeys {
    /// The stored hash of a token: HMAC-SHA-256 under the first key.
    pub fn hash_token(&self, purpose: TokenPurpose, text: &str) -> [u8; 32] {
        hash(&self.first, purpose, text)
    }

    /// The hashes to look up for a presented token: one under each known key, the first key's first.
    pub fn token_hashes(&self, purpose: TokenPurpose, text: &str) -> Vec<[u8; 32]> {
        self.all().map(|key| hash(key, purpose, text)).collect()
    }
}

/// The domain separation label, part of the hash input: never change it. The first byte makes the labels prefix-free.
const fn label(purpose: TokenPurpose) -> &'static [u8] {
    match purpose {
        TokenPurpose::EmailVerification => b"\x01email verification",
        TokenPurpose::PasswordReset => b"\x02password reset",
        TokenPurpose::Invitation => b"\x03invitation",
        TokenPurpose::Setup => b"\x06setup",
        TokenPurpose::EmailUndo => b"\x04email undo",
        TokenPurpose::MailCode => b"\x05mailed code",
        TokenPurpose::PendingLogin => b"\x10half log-in",
        TokenPurpose::TrustedDevice => b"\x11remembered device",
        TokenPurpose::MissingAddress => b"\x12missing address",
        TokenPurpose::Confirmation => b"\x15confirmation",
        TokenPurpose::ProviderLoginState => b"\x13foreign state",
        TokenPurpose::ProviderLoginBrowser => b"\x14foreign browser",
    }
}

fn hash(key: &PurposeKeys, purpose: TokenPurpose, text: &str) -> [u8; 32] {
    let mut context = hmac::Context::with_key(&key.token_hash);
    context.update(label(purpose));
    context.update(&[0]);
    context.update(text.as_bytes());
    let mut hash = [0; 32];
    hash.copy_from_slice(context.sign().as_ref());
    hash
}

#[cfg(test)]
#[path = "token_hash_tests.rs"]
mod tests;
