#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::TokenPurpose::{EmailVerification, Invitation, PasswordReset};
use super::*;
use crate::crypto::test_keys::keys;

#[test]
fn tokens_are_random_and_url_safe() {
    let (a, b) = (LinkToken::generate().unwrap(), LinkToken::generate().unwrap());
    assert_ne!(a.text(), b.text());
    assert_eq!(a.text().len(), 43);
    assert!(a.text().bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)));
    assert_eq!(format!("{a:?}"), "LinkToken");
}

#[test]
fn hash_depends_on_text_purpose_and_key() {
    let hash = keys(&[1]).hash_token(PasswordReset, "token");
    assert_eq!(hash, keys(&[1, 2]).hash_token(PasswordReset, "token"));
    assert_ne!(hash, keys(&[1]).hash_token(PasswordReset, "tokem"));
    assert_ne!(hash, keys(&[1]).hash_token(EmailVerification, "token"));
    assert_ne!(hash, keys(&[1]).hash_token(Invitation, "token"));
    assert_ne!(hash, keys(&[2]).hash_token(PasswordReset, "token"));
}

#[test]
fn token_hashed_with_older_key_is_found() {
    let stored = keys(&[1]).hash_token(Invitation, "token");
    assert_eq!(keys(&[2, 1]).token_hashes(Invitation, "token")[1], stored);
}
