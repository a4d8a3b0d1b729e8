#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::test_keys::keys;
use proptest::prelude::*;
use secrecy::ExposeSecret;

const NONCE: [u8; 16] = [9; 16];

fn session() -> SessionId {
    SessionId(Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0001))
}

fn token(bytes: &[u8], generation: i64) -> String {
    mint(&keys(bytes), session(), generation, &NONCE).expose_secret().to_owned()
}

#[test]
fn token_is_deterministic_and_cookie_safe() {
    let text = token(&[1], 3);
    assert_eq!(text.len(), 83);
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)));
    assert_eq!(text, token(&[1], 3));
    let presented = parse(&text).unwrap();
    assert_eq!((presented.session(), presented.generation()), (session(), 3));
    assert!(presented.verify(&keys(&[1]), &NONCE));
}

#[test]
fn token_with_other_nonce_or_key_is_rejected() {
    let presented = parse(&token(&[1], 3)).unwrap();
    assert!(!presented.verify(&keys(&[1]), &[8; 16]));
    assert!(!presented.verify(&keys(&[1]), &[9; 17]));
    assert!(!presented.verify(&keys(&[2]), &NONCE));
}

#[test]
fn token_verifies_under_every_known_key() {
    let presented = parse(&token(&[1], 3)).unwrap();
    assert!(presented.verify(&keys(&[2, 1]), &NONCE));
    assert_ne!(token(&[2, 1], 3), token(&[1], 3));
}

#[test]
fn short_nonce_is_rejected() {
    let text = mint(&keys(&[1]), session(), 1, b"").expose_secret().to_owned();
    assert!(!parse(&text).unwrap().verify(&keys(&[1]), b""));
}

#[test]
fn malformed_tokens_are_rejected() {
    let text = token(&[1], 3);
    for bad in
        ["", "r1.", &text[1..], &text[..82], &format!("{text}A"), &format!("{text}="), &text.replace("r1.", "r2.")]
    {
        assert!(parse(bad).is_none(), "{bad}");
    }
    assert!(parse(&format!("r1.{}", "é".repeat(40))).is_none());
    assert!(parse(&format!("r1.{}", " ".repeat(80))).is_none());
    assert!(parse(&token(&[1], -1)).is_none());
}

#[test]
fn debug_omits_mac() {
    let shown = format!("{:?}", parse(&token(&[1], 3)).unwrap());
    assert!(shown.starts_with("Presented { session: SessionId(") && shown.ends_with("generation: 3, .. }"), "{shown}");
}

proptest! {
    #[test]
    fn modified_token_is_rejected(generation in 0i64.., at in 0usize..83, with in "[A-Za-z0-9_.-]") {
        let keys = keys(&[1]);
        let text = token(&[1], generation);
        prop_assert!(parse(&text).unwrap().verify(&keys, &NONCE));
        let mut changed = text.clone();
        changed.replace_range(at..=at, &with);
        let accepted = parse(&changed).is_some_and(|token| token.verify(&keys, &NONCE));
        prop_assert_eq!(accepted, changed == text);
    }

    #[test]
    fn arbitrary_text_is_rejected(text in ".*") {
        prop_assert!(parse(&text).is_none());
    }
}
