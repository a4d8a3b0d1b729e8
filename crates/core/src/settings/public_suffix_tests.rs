#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

#[test]
fn rules_are_sorted_unique_and_of_more_than_one_label() {
    let rules: Vec<&str> = std::str::from_utf8(RULES).unwrap().lines().collect();
    assert!(rules.windows(2).all(|pair| pair[0] < pair[1]) && rules.len() > 8000);
    let is_rule = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._*!".contains(&byte);
    assert!(rules.iter().all(|rule| rule.contains('.') && rule.bytes().all(is_rule)));
}

#[test]
fn domains_of_many_owners_are_public_suffixes() {
    for domain in ["co.uk", "duckdns.org", "github.io", "home.arpa", "whatever.ck", "xn--12c1fe0br.xn--o3cw4h"] {
        assert!(is_public_suffix(domain), "{domain}");
    }
    for domain in ["example.com", "ada.duckdns.org", "www.ck", "bbc.co.uk", "nas.lan", "localhost", "uk", "", "."] {
        assert!(!is_public_suffix(domain), "{domain}");
    }
}
