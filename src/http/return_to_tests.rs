#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn safe(target: &str) -> bool {
    let allowed = [Origin::parse("https://app.example").unwrap(), Origin::parse("http://localhost:3000").unwrap()];
    is_safe(target, &allowed)
}

#[test]
fn paths_on_this_origin_are_accepted() {
    for target in [
        "/",
        "/account",
        "/a/b//c?x=//y#//z",
        "/cb?next=https%3A%2F%2Fx.example%2F",
        "/search?q=a%5Cb%00",
        "/caf\u{e9}/\u{1f600}",
        "/#%2f%2f",
    ] {
        assert!(safe(target), "{target}");
    }
}

#[test]
fn urls_of_allowed_origins_are_accepted() {
    for target in [
        "https://app.example",
        "https://app.example/",
        "https://APP.example/a?b=c",
        "https://app.example?x",
        "https://app.example#x",
        "http://localhost:3000/deep/path",
    ] {
        assert!(safe(target), "{target}");
    }
}

#[test]
fn unsafe_targets_are_refused() {
    for target in [
        "",
        "account",
        "//evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "/a\\b",
        "/a?b=\\",
        "/%2fevil.example",
        "/%2Fevil.example",
        "/%5cevil.example",
        "/a%00b",
        "/a%0d%0aSet-Cookie:x=y",
        "/a\r\nLocation: x",
        "/a\tb",
        "/?a=\u{7f}",
        "/\u{85}",
        "http://app.example/",
        "https://app.example.evil.example/",
        "https://app.example@evil.example/",
        "https://app.example:8443/",
        "https://app.example//evil.example",
        "https://app.example/%2f",
        "http://localhost:30000/",
        "javascript:alert(1)",
        "data:text/html,x",
        " /account",
        "https:/app.example",
    ] {
        assert!(!safe(target), "{target:?}");
    }
    assert!(!safe(&format!("/{}", "a".repeat(MAX_BYTES))));
}

#[test]
fn encoded_location_is_ascii() {
    assert_eq!(encode_location("/caf\u{e9} \"x\"?q=%2F"), "/caf%C3%A9%20%22x%22?q=%2F");
}

#[test]
fn appended_target_stays_within_limit_or_is_omitted() {
    assert_eq!(append("/auth/x", None), "/auth/x");
    assert_eq!(append("/auth/x", Some("/cb?a=1&b=/")), "/auth/x?return_to=%2Fcb%3Fa%3D1%26b%3D%2F");
    let longest = format!("/{}", "a/".repeat(500));
    let whole = append("/auth/x", Some(&longest));
    assert!(is_safe(&whole, &[]), "{whole}");
    assert_eq!(append("/auth/x", Some(&longest.repeat(2))), "/auth/x");
}

#[test]
fn literal_target_is_the_rest_of_the_query() {
    for (query, own, target) in [
        ("return_to=/a?b=1&c=2&return_to=/d", "", Some("/a?b=1&c=2&return_to=/d")),
        ("notice=x&return_to=/a?b=%20&c", "notice=x", Some("/a?b=%20&c")),
        ("return_to=/a&return_to=/b?c=1&d=2", "return_to=/a", Some("/b?c=1&d=2")),
        ("&return_to=/?&", "", Some("/?&")),
        ("return_to=%2Fa?b=1&c=2", "return_to=%2Fa?b=1&c=2", None),
        ("return_to=/a&b?=1", "return_to=/a&b?=1", None),
        ("not_return_to=/a?b&c", "not_return_to=/a?b&c", None),
        ("return_to=https://app.example/?a&b", "return_to=https://app.example/?a&b", None),
        ("", "", None),
    ] {
        assert_eq!(split_literal(query), (own, target), "{query}");
    }
}
