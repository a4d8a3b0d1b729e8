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
