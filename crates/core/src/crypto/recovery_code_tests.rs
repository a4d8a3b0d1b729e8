#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn code_parses_in_any_format() {
    let code = RecoveryCode::generate().unwrap();
    let shown = code.formatted().to_string();
    assert_eq!(shown.len(), 19);
    for typed in [shown.clone(), shown.to_uppercase(), shown.replace('-', ""), format!(" {} ", shown.replace('-', " "))]
    {
        assert!(RecoveryCode::parse(&typed).unwrap().has_hash(&code.hash()), "{typed}");
    }
}

#[test]
fn malformed_code_is_rejected() {
    for typed in
        ["", "123456", "abcd-efgh-jkmn-pqr", "abcd-efgh-jkmn-pqrs-t", "abcd-efgh-jkmn-pqr1", "äbcd-efgh-jkmn-pqrs"]
    {
        assert!(RecoveryCode::parse(typed).is_none(), "{typed}");
    }
    assert!(RecoveryCode::parse("abcd-efgh-jkmn-pqrs").is_some());
}

#[test]
fn codes_are_unique_and_omitted_from_debug() {
    let (one, other) = (RecoveryCode::generate().unwrap(), RecoveryCode::generate().unwrap());
    assert!(!one.has_hash(&other.hash()) && !one.has_hash(&[]));
    assert_eq!(format!("{one:?}"), "RecoveryCode");
}

#[test]
fn alphabet_has_32_distinct_characters() {
    let mut letters = ALPHABET.to_vec();
    letters.sort_unstable();
    letters.dedup();
    assert_eq!(letters.len(), 32);
}
