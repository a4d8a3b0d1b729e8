#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::secret_keys::SecretKeys;
use uuid::Uuid;

fn keys() -> SecretKeys {
    SecretKeys::generate().unwrap().0
}

fn content() -> Content {
    Content {
        to: "you@example.com".to_owned(),
        subject: "Hello".to_owned(),
        text: "a secret link".to_owned(),
        html: "<p>a secret link</p>".to_owned(),
        link: Some("https://auth.example/x".to_owned()),
        code: None,
        message_id: "<1@mail.example>".to_owned(),
        written_at: Time::from_micros(1),
        expires_at: Time::from_micros(2),
    }
}

#[test]
fn sealed_email_opens_with_its_own_id_only() {
    let (keys, id, other) = (keys(), MailId(Uuid::from_u128(1)), MailId(Uuid::from_u128(2)));
    let sealed = content().seal(&keys, id).unwrap();
    assert!(!sealed.windows(6).any(|window| window == b"secret"));
    let opened = Content::open(&keys, id, &sealed).unwrap().unwrap();
    assert_eq!((opened.text, opened.link, opened.expires_at), (content().text, content().link, content().expires_at));
    assert!(Content::open(&keys, other, &sealed).is_err());
    assert!(Content::open(&self::keys(), id, &sealed).is_err());
}

#[test]
fn erased_email_opens_as_none() {
    let (keys, id) = (keys(), MailId(Uuid::from_u128(1)));
    assert!(Content::open(&keys, id, &[]).unwrap().is_none());
    assert!(Content::reseal(&keys, id, &[]).unwrap().is_none());
}

#[test]
fn email_sealed_with_first_key_is_not_resealed() {
    let (keys, id) = (keys(), MailId(Uuid::from_u128(1)));
    let sealed = content().seal(&keys, id).unwrap();
    assert!(Content::reseal(&keys, id, &sealed).unwrap().is_none());
}

#[test]
fn debug_output_has_no_secrets() {
    let shown = format!("{:?}", content());
    assert!(!shown.contains("secret") && !shown.contains("you@") && !shown.contains("/x"), "{shown}");
}
