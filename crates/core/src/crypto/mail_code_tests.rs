#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::{MailCode, MailCodeMatch};
use crate::crypto::test_keys;
use std::collections::HashSet;
use uuid::Uuid;
use zeroize::Zeroizing;

#[test]
fn code_has_six_random_digits() {
    let codes: HashSet<String> = (0..200).map(|_| MailCode::generate().unwrap().text().to_owned()).collect();
    assert!(codes.iter().all(|code| code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit())));
    assert!(codes.len() > 190, "{}", codes.len());
}

#[test]
fn code_verifies_for_its_row_in_any_format() {
    let keys = test_keys::keys(&[1]);
    let (row, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
    let code = MailCode::generate().unwrap();
    let stored = keys.hash_mail_code(row, &code, None);
    let (left, right) = code.text().split_at(3);
    for typed in [code.text(), &format!(" {left} {right}\n"), &format!("{left}-{right}")] {
        assert_eq!(keys.verify_mail_code(row, typed, &stored), MailCodeMatch::Right, "{typed:?}");
        assert_eq!(keys.verify_mail_code(other, typed, &stored), MailCodeMatch::Wrong, "{typed:?}");
    }
    let next = format!("{:06}", (code.text().parse::<u32>().unwrap() + 1) % 1_000_000);
    for typed in [next.as_str(), "", &code.text()[1..], &format!("{}0", code.text())] {
        assert_eq!(keys.verify_mail_code(row, typed, &stored), MailCodeMatch::Wrong, "{typed:?}");
    }
    assert_eq!(keys.verify_mail_code(row, code.text(), b""), MailCodeMatch::Wrong);
}

#[test]
fn code_before_the_last_is_told_from_a_wrong_one() {
    let keys = test_keys::keys(&[1]);
    let row = Uuid::from_u128(1);
    let codes = ["000001", "000002", "000003"].map(|text| MailCode(Zeroizing::new(text.to_owned())));
    let mut stored = None;
    for code in &codes {
        stored = Some(keys.hash_mail_code(row, code, stored.as_deref()));
    }
    let stored = stored.unwrap();
    assert_eq!(stored.len(), 64);
    let matches = codes.each_ref().map(|code| keys.verify_mail_code(row, code.text(), &stored));
    assert_eq!(matches, [MailCodeMatch::Wrong, MailCodeMatch::Replaced, MailCodeMatch::Right]);
    assert_eq!(keys.verify_mail_code(row, "", &stored), MailCodeMatch::Wrong);
}

#[test]
fn debug_omits_code() {
    assert_eq!(format!("{:?}", MailCode::generate().unwrap()), "MailCode");
}
