#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;

fn read(text: &str) -> Option<String> {
    Origin::parse(text).map(|origin| origin.as_str().to_owned())
}

#[test]
fn origin_is_normalized_like_in_browsers() {
    for (text, origin) in [
        ("http://localhost:8080", "http://localhost:8080"),
        ("HTTPS://Auth.Example.COM", "https://auth.example.com"),
        ("https://a.example:443", "https://a.example"),
        ("http://a.example:80/", "http://a.example"),
        ("https://a.example:80", "https://a.example:80"),
        ("https://192.0.2.1:8443", "https://192.0.2.1:8443"),
        ("http://[2001:DB8:0:0::1]:8080", "http://[2001:db8::1]:8080"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("http://my_service:3000", "http://my_service:3000"),
    ] {
        assert_eq!(read(text).as_deref(), Some(origin), "{text}");
    }
}

#[test]
fn malformed_origin_is_refused() {
    let bad = "*|null|a.example|//a.example|ftp://a.example|https://|https://a.example/x|https://a.example//|https://a?b\
        |https://a#b|https://u@a.example|https://u:p@a.example|https://a:0|https://a:|https://a:+1|https://a:65536\
        |https://a b|https://bücher.example|https://1.2.3|https://999.1.1.1|https://[::g]|https://[::1|https://a..b\
        |https://a.|https://a\\b|https://a:1:2|https://a\n";
    for text in bad.split('|') {
        assert_eq!(read(text), None, "{text:?}");
    }
}

#[test]
fn url_origin_ends_before_path() {
    let of = |url| Origin::of_url(url).map(|origin| origin.as_str().to_owned());
    assert_eq!(of("https://a.example/x?y#z").as_deref(), Some("https://a.example"));
    assert_eq!(of("https://a.example?x=https://b").as_deref(), Some("https://a.example"));
    assert_eq!(of("https://a.example@b.example/"), None);
    assert_eq!(of("https://a.example\\@b.example/"), None);
    assert_eq!(of("/x"), None);
}

#[test]
fn host_excludes_scheme_and_port() {
    for (text, host) in
        [("http://a.example:8080", "a.example"), ("https://a.example", "a.example"), ("http://[::1]:1", "[::1]")]
    {
        assert_eq!(Origin::parse(text).unwrap().host(), host);
    }
    assert!(Origin::parse("http://app.localhost:3000").unwrap().is_this_machine());
    assert!(!Origin::parse("http://localhost.example").unwrap().is_this_machine());
    assert!(Origin::parse("https://a").unwrap().is_https());
    assert!(!Origin::parse("http://a").unwrap().is_https());
}
