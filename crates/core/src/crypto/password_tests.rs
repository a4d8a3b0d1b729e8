#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const OTHER: Params = Params { memory_kib: 16, passes: 2, lanes: 1 };

fn hasher(params: Params) -> PasswordHasher {
    PasswordHasher::new(params).unwrap()
}

/// The test vector of the Argon2 reference implementation for 64 MiB, t=2, p=1, "password", "somesalt".
const REFERENCE: &str = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

#[test]
fn right_password_matches_and_wrong_ones_do_not() {
    let hasher = hasher(Params::CHEAPEST);
    let stored = hasher.hash("correct horse").unwrap();
    assert_eq!(hasher.verify("correct horse", Some(&stored)), Ok(PasswordMatch::Yes));
    for wrong in ["", "correct horsf", "correct horse ", "Correct horse", "correct horse\0"] {
        assert_eq!(hasher.verify(wrong, Some(&stored)), Ok(PasswordMatch::No), "{wrong:?}");
    }
    assert_ne!(stored, hasher.hash("correct horse").unwrap());
}

#[test]
fn reference_implementation_hash_verifies() {
    let hasher = hasher(Params::CHEAPEST);
    assert_eq!(hasher.verify("password", Some(REFERENCE)), Ok(PasswordMatch::YesOutdated));
    assert_eq!(hasher.verify("passwore", Some(REFERENCE)), Ok(PasswordMatch::No));
}

#[test]
fn owasp_parameters_are_encoded_in_hash() {
    let hasher = hasher(Params::OWASP);
    let stored = hasher.hash("pässwörd").unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    assert_eq!(hasher.verify("pässwörd", Some(&stored)), Ok(PasswordMatch::Yes));
}

#[test]
fn hash_with_other_parameters_matches_as_outdated() {
    let stored = hasher(OTHER).hash("correct horse").unwrap();
    assert_eq!(hasher(Params::CHEAPEST).verify("correct horse", Some(&stored)), Ok(PasswordMatch::YesOutdated));
    assert_eq!(hasher(Params::CHEAPEST).verify("wrong", Some(&stored)), Ok(PasswordMatch::No));
}

#[test]
fn dummy_hash_costs_the_same_and_never_matches() {
    let hasher = hasher(Params::CHEAPEST);
    assert_eq!(hasher.verify("correct horse", None), Ok(PasswordMatch::No));
    assert_eq!(hasher.verify("", None), Ok(PasswordMatch::No));
    assert_eq!(hasher.verifications(), 2);
    let real = hasher.hash("x").unwrap();
    let shape = |phc: &str| phc.split('$').map(str::len).collect::<Vec<_>>();
    assert_eq!(shape(&hasher.dummy), shape(&real));
    assert!(hasher.dummy.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{}", hasher.dummy);
}

const COMPOSED: &str = "p\u{e4}ssw\u{f6}rt";
const DECOMPOSED: &str = "pa\u{308}sswo\u{308}rt";

#[test]
fn password_matches_in_either_encoding() {
    let hasher = hasher(Params::CHEAPEST);
    for set in [COMPOSED, DECOMPOSED] {
        let stored = hasher.hash(set).unwrap();
        for typed in [COMPOSED, DECOMPOSED] {
            assert_eq!(hasher.verify(typed, Some(&stored)), Ok(PasswordMatch::Yes), "{set:?} {typed:?}");
        }
        assert_eq!(hasher.verify("passwort", Some(&stored)), Ok(PasswordMatch::No));
    }
}

#[test]
fn hash_of_what_was_typed_before_normalization_is_outdated() {
    let hasher = hasher(Params::CHEAPEST);
    let salt = [7; SALT_LEN];
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, hasher.params.clone());
    let stored = phc(&hasher.params, &salt, &hasher.compute(&argon2, DECOMPOSED, &salt).unwrap()).unwrap();
    for typed in [COMPOSED, DECOMPOSED] {
        assert_eq!(hasher.verify(typed, Some(&stored)), Ok(PasswordMatch::YesOutdated), "{typed:?}");
    }
}

#[test]
fn second_form_costs_the_same_with_a_hash_and_without() {
    let hasher = hasher(Params::CHEAPEST);
    let stored = hasher.hash("another").unwrap();
    for (typed, cost) in [("passwort", 1), (COMPOSED, 2), (DECOMPOSED, 2)] {
        for stored in [Some(stored.as_str()), None] {
            let before = hasher.verifications();
            assert_eq!(hasher.verify(typed, stored), Ok(PasswordMatch::No));
            assert_eq!(hasher.verifications() - before, cost, "{typed:?} {stored:?}");
        }
    }
}

#[test]
fn malformed_hash_is_error() {
    let hasher = hasher(Params::CHEAPEST);
    let bad = [
        "",
        "x",
        "$argon2id$v=19$m=8,t=1,p=1",
        "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ",
        "$2b$12$abcdefghijklmnopqrstuv",
    ];
    for stored in bad {
        assert_eq!(hasher.verify("x", Some(stored)), Err(PasswordError::Stored), "{stored}");
    }
}

#[test]
fn impossible_parameters_are_rejected() {
    assert_eq!(PasswordHasher::new(Params { memory_kib: 1, passes: 1, lanes: 1 }).unwrap_err(), PasswordError::Params);
    assert_eq!(PasswordHasher::new(Params { passes: 0, ..OTHER }).unwrap_err(), PasswordError::Params);
}
