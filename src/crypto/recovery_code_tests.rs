#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn a_code_is_read_as_people_type_it() {
    let code = RecoveryCode::generate().unwrap();
    let shown = code.shown().to_string();
    assert_eq!(shown.len(), 19);
    for typed in [shown.clone(), shown.to_uppercase(), shown.replace('-', ""), format!(" {} ", shown.replace('-', " "))]
    {
        assert!(RecoveryCode::parse(&typed).unwrap().has_hash(&code.hash()), "{typed}");
    }
}

#[test]
fn what_is_no_code_is_not_read() {
    for typed in
        ["", "123456", "abcd-efgh-jkmn-pqr", "abcd-efgh-jkmn-pqrs-t", "abcd-efgh-jkmn-pqr1", "äbcd-efgh-jkmn-pqrs"]
    {
        assert!(RecoveryCode::parse(typed).is_none(), "{typed}");
    }
    assert!(RecoveryCode::parse("abcd-efgh-jkmn-pqrs").is_some());
}

#[test]
fn codes_differ_and_are_not_shown_by_mistake() {
    let (one, other) = (RecoveryCode::generate().unwrap(), RecoveryCode::generate().unwrap());
    assert!(!one.has_hash(&other.hash()) && !one.has_hash(&[]));
    assert_eq!(format!("{one:?}"), "RecoveryCode");
}

#[test]
fn every_letter_is_as_likely_as_any_other() {
    let mut letters = ALPHABET.to_vec();
    letters.sort_unstable();
    letters.dedup();
    assert_eq!(letters.len(), 32);
}
