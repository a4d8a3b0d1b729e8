#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

const OTHER: Params = Params { memory_kib: 16, passes: 2, lanes: 1 };

fn hasher(params: Params) -> PasswordHasher {
    PasswordHasher::new(params).unwrap()
}

/// The test vector of the Argon2 reference implementation for 64 MiB, t=2, p=1, "password", "somesalt".
const REFERENCE: &str = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";

#[test]
fn the_right_password_is_told_from_wrong_ones() {
    let hasher = hasher(Params::CHEAPEST);
    let stored = hasher.hash("correct horse").unwrap();
    assert_eq!(hasher.verify("correct horse", Some(&stored)), Ok(Verified::Yes));
    for wrong in ["", "correct horsf", "correct horse ", "Correct horse", "correct horse\0"] {
        assert_eq!(hasher.verify(wrong, Some(&stored)), Ok(Verified::No), "{wrong:?}");
    }
    assert_ne!(stored, hasher.hash("correct horse").unwrap());
}

#[test]
fn a_hash_of_the_reference_implementation_is_understood() {
    let hasher = hasher(Params::CHEAPEST);
    assert_eq!(hasher.verify("password", Some(REFERENCE)), Ok(Verified::YesOutdated));
    assert_eq!(hasher.verify("passwore", Some(REFERENCE)), Ok(Verified::No));
}

#[test]
fn production_parameters_are_those_of_owasp_and_stand_in_the_hash() {
    let hasher = hasher(Params::OWASP);
    let stored = hasher.hash("pässwörd").unwrap();
    assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{stored}");
    assert_eq!(hasher.verify("pässwörd", Some(&stored)), Ok(Verified::Yes));
}

#[test]
fn a_hash_of_other_parameters_is_right_but_outdated() {
    let stored = hasher(OTHER).hash("correct horse").unwrap();
    assert_eq!(hasher(Params::CHEAPEST).verify("correct horse", Some(&stored)), Ok(Verified::YesOutdated));
    assert_eq!(hasher(Params::CHEAPEST).verify("wrong", Some(&stored)), Ok(Verified::No));
}

#[test]
fn the_dummy_costs_what_a_real_one_costs_and_is_never_right() {
    let hasher = hasher(Params::CHEAPEST);
    assert_eq!(hasher.verify("correct horse", None), Ok(Verified::No));
    assert_eq!(hasher.verify("", None), Ok(Verified::No));
    assert_eq!(hasher.verifications(), 2);
    let real = hasher.hash("x").unwrap();
    let shape = |phc: &str| phc.split('$').map(str::len).collect::<Vec<_>>();
    assert_eq!(shape(&hasher.dummy), shape(&real));
    assert!(hasher.dummy.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{}", hasher.dummy);
}

#[test]
fn what_is_no_hash_is_an_error_and_not_a_wrong_password() {
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
fn impossible_parameters_are_refused() {
    assert_eq!(PasswordHasher::new(Params { memory_kib: 1, passes: 1, lanes: 1 }).unwrap_err(), PasswordError::Params);
    assert_eq!(PasswordHasher::new(Params { passes: 0, ..OTHER }).unwrap_err(), PasswordError::Params);
}
