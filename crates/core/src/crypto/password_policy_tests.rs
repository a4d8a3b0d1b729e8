#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::PasswordProblem::{Common, Personal, TooLong, TooShort};
use super::*;

const PERSONAL: [&str; 2] = ["Ada.Lovelace@example.org", "analyst-1843"];

fn check(password: &str) -> Result<(), PasswordProblem> {
    super::check(password, 8, &PERSONAL)
}

#[test]
fn length_is_counted_in_characters() {
    assert_eq!(check("sieben7"), Err(TooShort { min: 8 }));
    assert_eq!(check(""), Err(TooShort { min: 8 }));
    assert_eq!(check("äöüßéèçø"), Ok(()));
    assert_eq!(check("äöüßéèç"), Err(TooShort { min: 8 }));
    assert_eq!(check(&"ä".repeat(256)), Ok(()));
    assert_eq!(check(&"ä".repeat(257)), Err(TooLong { max: 256 }));
}

#[test]
fn composition_is_unrestricted() {
    for password in
        ["oak table seven", "tttttttttttttttttu", "\0\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}", "🦀🦀🦀🦀🦀🦀🦀🦀"]
    {
        assert_eq!(check(password), Ok(()), "{password:?}");
    }
}

#[test]
fn common_passwords_are_rejected_at_any_minimum_length() {
    assert_eq!(check("Password1"), Err(Common));
    assert_eq!(super::check("dragon", 6, &[]), Err(Common));
}

#[test]
fn own_name_and_email_are_rejected_but_not_as_substring() {
    for password in ["ada.lovelace@example.org", "ADA.LOVELACE", " ada.lovelace ", "Analyst-1843"] {
        assert_eq!(check(password), Err(Personal), "{password}");
    }
    for password in ["ada.lovelace and the engine", "example.org", "lovelace1815x"] {
        assert_eq!(check(password), Ok(()), "{password}");
    }
    assert_eq!(super::check("oak table", 8, &["", "@"]), Ok(()));
}

#[test]
fn problems_have_user_messages() {
    assert_eq!(TooShort { min: 8 }.message().english(), "Use at least 8 characters.");
    assert_eq!(TooLong { max: 256 }.message().english(), "Use at most 256 characters.");
}

#[test]
fn common_list_is_sorted_unique_lower_case_and_long() {
    let text = std::str::from_utf8(COMMON).unwrap();
    assert!(text.ends_with('\n') && !text.contains('\r'));
    let entries: Vec<&str> = text.lines().collect();
    assert!(entries.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(entries.iter().all(|entry| !entry.is_empty() && *entry == entry.to_lowercase() && *entry == entry.trim()));
    assert!(entries.iter().filter(|entry| entry.chars().count() >= 8).count() > 10_000);
}

#[test]
fn every_common_password_is_found_and_its_neighbours_are_not() {
    for entry in std::str::from_utf8(COMMON).unwrap().lines() {
        assert!(is_common(entry), "{entry}");
        assert!(!is_common(&format!("{entry}\u{1}")), "{entry}");
        assert!(!is_common(&format!("{entry}\n")), "{entry}");
    }
}

#[test]
fn common_password_is_found_in_any_case() {
    for password in ["password1", "PassWord1", "QWERTYUIOP", "iloveyou", "P@ssw0rd", "12345678"] {
        assert!(is_common(password), "{password}");
    }
    for password in ["", "\n", "correct horse battery staple", "zzzzzzzzzzzzzzz", "ÿ", "!"] {
        assert!(!is_common(password), "{password}");
    }
}
