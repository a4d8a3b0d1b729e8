#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::test_keys::keys;
use proptest::prelude::*;

const SEAL_CONTEXT: SealContext<'static> = SealContext { table: "signing_keys", row: b"a", column: "private_key" };

#[test]
fn sealed_value_opens_only_in_its_context() {
    let keys = keys(&[1]);
    let sealed = keys.seal(&SEAL_CONTEXT, b"secret").unwrap();
    assert_eq!(keys.open(&SEAL_CONTEXT, &sealed).unwrap().as_slice(), b"secret");
    let elsewhere = [
        SealContext { row: b"b", ..SEAL_CONTEXT },
        SealContext { row: b"", ..SEAL_CONTEXT },
        SealContext { table: "mails", ..SEAL_CONTEXT },
        SealContext { column: "public_key", ..SEAL_CONTEXT },
        SealContext { table: "signing_keysa", row: b"", ..SEAL_CONTEXT },
        SealContext { row: b"ap", column: "rivate_key", ..SEAL_CONTEXT },
    ];
    for context in elsewhere {
        assert_eq!(keys.open(&context, &sealed), Err(OpenError::Corrupt), "{context:?}");
    }
}

/// Computed with another implementation of HKDF and AES-256-GCM-SIV: data of earlier releases must stay readable.
#[test]
fn stored_format_is_stable() {
    let text = "010255393b000102030405060708090a0bcafefb65155ad95e63c7ec7f6748ff67a90060bc760e";
    let sealed: Vec<u8> =
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect();
    assert_eq!(keys(&[7]).open(&SEAL_CONTEXT, &sealed).unwrap().as_slice(), b"secret");
}

#[test]
fn sealing_twice_differs() {
    let keys = keys(&[1]);
    assert_ne!(keys.seal(&SEAL_CONTEXT, b"secret").unwrap(), keys.seal(&SEAL_CONTEXT, b"secret").unwrap());
}

#[test]
fn every_known_key_opens_and_first_key_seals() {
    let old = keys(&[1]);
    let both = keys(&[2, 1]);
    let sealed = old.seal(&SEAL_CONTEXT, b"secret").unwrap();
    assert!(!old.needs_reseal(&sealed));
    assert!(both.needs_reseal(&sealed));
    let opened = both.open(&SEAL_CONTEXT, &sealed).unwrap();
    let resealed = both.seal(&SEAL_CONTEXT, &opened).unwrap();
    assert!(!both.needs_reseal(&resealed));
    let new = keys(&[2]);
    assert_eq!(new.open(&SEAL_CONTEXT, &resealed).unwrap().as_slice(), b"secret");
    assert_eq!(new.open(&SEAL_CONTEXT, &sealed), Err(OpenError::UnknownKey(old.key_ids().next().unwrap())));
}

#[test]
fn check_value_identifies_database_key() {
    let check = keys(&[1]).check_value().unwrap();
    assert!(keys(&[1]).verify_check_value(&check));
    assert!(keys(&[2, 1]).verify_check_value(&check));
    assert!(!keys(&[2]).verify_check_value(&check));
    assert!(!keys(&[1]).verify_check_value(b""));
    assert!(!keys(&[1]).verify_check_value(&keys(&[1]).seal(&SEAL_CONTEXT, CHECK_PLAINTEXT).unwrap()));
}

proptest! {
    #[test]
    fn modified_value_does_not_open(
        plain in proptest::collection::vec(any::<u8>(), 0..80),
        at: prop::sample::Index,
        mask in 1u8..
    ) {
        let keys = keys(&[1]);
        let sealed = keys.seal(&SEAL_CONTEXT, &plain).unwrap();
        prop_assert!(keys.open(&SEAL_CONTEXT, &sealed).is_ok_and(|opened| *opened == plain));
        let mut changed = sealed.clone();
        changed[at.index(sealed.len())] ^= mask;
        prop_assert!(keys.open(&SEAL_CONTEXT, &changed).is_err());
        prop_assert!(keys.open(&SEAL_CONTEXT, &sealed[..at.index(sealed.len())]).is_err());
    }

    #[test]
    fn arbitrary_bytes_do_not_open(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let keys = keys(&[1]);
        prop_assert!(keys.open(&SEAL_CONTEXT, &bytes).is_err());
        prop_assert!(keys.needs_reseal(&bytes));
    }
}
