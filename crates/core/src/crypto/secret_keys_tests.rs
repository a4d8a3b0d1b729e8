#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::test_keys::{keys, setting};

#[test]
fn key_id_is_independent_of_name_and_order() {
    let named = SecretKeySetting { id: Some("new name".to_owned()), ..setting(1) };
    let alone = keys(&[1]).key_ids().next().unwrap();
    assert_eq!(SecretKeys::new(&[setting(2), named]).unwrap().key_ids().last(), Some(alone));
    assert_eq!(alone.to_string().len(), 8);
}

#[test]
fn purpose_keys_are_stable() {
    // A change of these values makes all stored data unreadable. They were computed with another implementation of HKDF
    // and HMAC.
    let key = keys(&[7]).first;
    assert_eq!(key.id.to_string(), "0255393b");
    assert_eq!(
        hex::encode(hmac::sign(&key.refresh_token, b"").as_ref()),
        "4094ea993f23f52fd30c73cec783fe3bdfc76d000311b7bd72fc65fcc5c5e48c"
    );
    assert_eq!(
        hex::encode(hmac::sign(&key.token_hash, b"").as_ref()),
        "3aa8a26a16600e299eac653278b6087c524d5db9adb5bad3308904d12a6245f6"
    );
}

#[test]
fn missing_or_duplicate_key_is_rejected() {
    assert!(matches!(SecretKeys::new(&[]), Err(SecretKeysError::None)));
    let again = SecretKeySetting { id: Some("other".to_owned()), ..setting(1) };
    assert!(matches!(SecretKeys::new(&[setting(1), setting(2), again]), Err(SecretKeysError::Repeated)));
}

#[test]
fn generated_key_round_trips_as_text() {
    let (generated, text) = SecretKeys::generate().unwrap();
    let key = STANDARD.decode(text.trim_end()).unwrap().try_into().unwrap();
    let read = SecretKeys::new(&[SecretKeySetting { id: None, key: Zeroizing::new(key) }]).unwrap();
    assert!(generated.key_ids().eq(read.key_ids()));
    assert!(!generated.key_ids().eq(SecretKeys::generate().unwrap().0.key_ids()));
}

#[test]
fn debug_shows_ids_only() {
    let keys = keys(&[1, 2]);
    let ids: Vec<_> = keys.key_ids().collect();
    assert_eq!(format!("{keys:?}"), format!("SecretKeys([{}, {}])", ids[0], ids[1]));
}
