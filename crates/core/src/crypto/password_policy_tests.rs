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
