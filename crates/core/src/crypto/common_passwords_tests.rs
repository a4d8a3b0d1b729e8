#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn list_is_sorted_unique_lower_case_and_long() {
    let text = std::str::from_utf8(LIST).unwrap();
    assert!(text.ends_with('\n') && !text.contains('\r'));
    let entries: Vec<&str> = text.lines().collect();
    assert!(entries.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(entries.iter().all(|entry| !entry.is_empty() && *entry == entry.to_lowercase() && *entry == entry.trim()));
    assert!(entries.iter().filter(|entry| entry.chars().count() >= 8).count() > 10_000);
}

#[test]
fn every_entry_is_found_and_its_neighbours_are_not() {
    for entry in std::str::from_utf8(LIST).unwrap().lines() {
        assert!(contains(entry), "{entry}");
        assert!(!contains(&format!("{entry}\u{1}")), "{entry}");
        assert!(!contains(&format!("{entry}\n")), "{entry}");
    }
}

#[test]
fn lookup_ignores_case() {
    for password in ["password1", "PassWord1", "QWERTYUIOP", "iloveyou", "P@ssw0rd", "12345678"] {
        assert!(contains(password), "{password}");
    }
    for password in ["", "\n", "correct horse battery staple", "zzzzzzzzzzzzzzz", "ÿ", "!"] {
        assert!(!contains(password), "{password}");
    }
}
