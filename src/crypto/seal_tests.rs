#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::crypto::test_keys::keys;
use proptest::prelude::*;

const PLACE: Place<'static> = Place { table: "signing_keys", row: b"a", column: "private_key" };

#[test]
fn what_was_sealed_opens_at_its_place_and_nowhere_else() {
    let keys = keys(&[1]);
    let sealed = keys.seal(&PLACE, b"secret").unwrap();
    assert_eq!(keys.open(&PLACE, &sealed).unwrap().as_slice(), b"secret");
    let elsewhere = [
        Place { row: b"b", ..PLACE },
        Place { row: b"", ..PLACE },
        Place { table: "mails", ..PLACE },
        Place { column: "public_key", ..PLACE },
        Place { table: "signing_keysa", row: b"", ..PLACE },
        Place { row: b"ap", column: "rivate_key", ..PLACE },
    ];
    for place in elsewhere {
        assert_eq!(keys.open(&place, &sealed), Err(OpenError::Corrupt), "{place:?}");
    }
}

/// Made with another implementation of HKDF and AES-256-GCM-SIV: data of earlier releases stays readable.
#[test]
fn the_stored_form_stays_the_same_for_ever() {
    let text = "010255393b000102030405060708090a0bcafefb65155ad95e63c7ec7f6748ff67a90060bc760e";
    let sealed: Vec<u8> =
        (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect();
    assert_eq!(keys(&[7]).open(&PLACE, &sealed).unwrap().as_slice(), b"secret");
}

#[test]
fn sealing_twice_gives_different_bytes() {
    let keys = keys(&[1]);
    assert_ne!(keys.seal(&PLACE, b"secret").unwrap(), keys.seal(&PLACE, b"secret").unwrap());
}

#[test]
fn every_known_key_opens_and_the_first_one_seals() {
    let old = keys(&[1]);
    let both = keys(&[2, 1]);
    let sealed = old.seal(&PLACE, b"secret").unwrap();
    assert!(!old.needs_reseal(&sealed));
    assert!(both.needs_reseal(&sealed));
    let opened = both.open(&PLACE, &sealed).unwrap();
    let resealed = both.seal(&PLACE, &opened).unwrap();
    assert!(!both.needs_reseal(&resealed));
    let new = keys(&[2]);
    assert_eq!(new.open(&PLACE, &resealed).unwrap().as_slice(), b"secret");
    assert_eq!(new.open(&PLACE, &sealed), Err(OpenError::UnknownKey(old.key_ids().next().unwrap())));
}

#[test]
fn the_check_value_tells_the_databases_key_from_others() {
    let check = keys(&[1]).check_value().unwrap();
    assert!(keys(&[1]).opens_check(&check));
    assert!(keys(&[2, 1]).opens_check(&check));
    assert!(!keys(&[2]).opens_check(&check));
    assert!(!keys(&[1]).opens_check(b""));
    assert!(!keys(&[1]).opens_check(&keys(&[1]).seal(&PLACE, CHECK).unwrap()));
}

proptest! {
    #[test]
    fn a_changed_value_never_opens(plain in proptest::collection::vec(any::<u8>(), 0..80), at: prop::sample::Index, mask in 1u8..) {
        let keys = keys(&[1]);
        let sealed = keys.seal(&PLACE, &plain).unwrap();
        prop_assert!(keys.open(&PLACE, &sealed).is_ok_and(|opened| *opened == plain));
        let mut changed = sealed.clone();
        changed[at.index(sealed.len())] ^= mask;
        prop_assert!(keys.open(&PLACE, &changed).is_err());
        prop_assert!(keys.open(&PLACE, &sealed[..at.index(sealed.len())]).is_err());
    }

    #[test]
    fn garbage_never_opens(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let keys = keys(&[1]);
        prop_assert!(keys.open(&PLACE, &bytes).is_err());
        prop_assert!(keys.needs_reseal(&bytes));
    }
}
