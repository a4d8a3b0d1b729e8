#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{Environment, ServiceName};

const TOKEN: &str = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const OTHER: &str = "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB";

fn verify(headers: &[(&'static str, &str)], field: Option<&str>) -> bool {
    verify_from(Origins::Allowed, headers, field)
}

fn verify_from(origins: Origins, headers: &[(&'static str, &str)], field: Option<&str>) -> bool {
    let variables = [("SVC_ALLOWED_ORIGINS", "https://app.example"), ("SVC_BASE_URL", "https://auth.example")];
    let environment: Environment = variables.into_iter().collect();
    let settings = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, value.parse().unwrap());
    }
    super::verify(&settings, &map, field, origins).is_ok()
}

fn cookie() -> (&'static str, &'static str) {
    ("cookie", "svc_csrf=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
}

#[test]
fn token_repeated_in_header_or_field_passes() {
    assert!(verify(&[cookie(), ("x-csrf-token", TOKEN)], None));
    assert!(verify(&[cookie()], Some(TOKEN)));
}

#[test]
fn missing_wrong_or_empty_token_is_refused() {
    assert!(!verify(&[cookie()], None));
    assert!(!verify(&[cookie(), ("x-csrf-token", OTHER)], None));
    assert!(!verify(&[cookie(), ("x-csrf-token", OTHER)], Some(TOKEN)), "the header decides");
    assert!(!verify(&[("x-csrf-token", TOKEN)], None));
    assert!(!verify(&[("cookie", "svc_csrf="), ("x-csrf-token", "")], None));
    assert!(verify(&[("cookie", "svc_csrf=short"), ("x-csrf-token", "short")], None), "the client's own will do");
}

#[test]
fn either_of_two_csrf_cookies_may_be_repeated() {
    let both = format!("svc_csrf={OTHER}; svc_csrf={TOKEN}");
    assert!(verify(&[("cookie", &both), ("x-csrf-token", TOKEN)], None));
}

#[test]
fn fetch_metadata_decides_when_present() {
    let from = |site: &'static str, origin: Option<&'static str>| {
        let mut headers = vec![cookie(), ("x-csrf-token", TOKEN), ("sec-fetch-site", site)];
        headers.extend(origin.map(|origin| ("origin", origin)));
        verify(&headers, None)
    };
    assert!(from("same-origin", Some("https://whatever.example")));
    assert!(from("none", None));
    for site in ["same-site", "cross-site", "nonsense"] {
        assert!(from(site, Some("https://app.example")));
        assert!(!from(site, Some("https://evil.example")));
        assert!(!from(site, Some("https://auth.example")));
        assert!(!from(site, Some("null")));
        assert!(!from(site, None));
    }
}

#[test]
fn without_fetch_metadata_origin_must_be_permitted() {
    let from = |origin: &'static str| verify(&[cookie(), ("x-csrf-token", TOKEN), ("origin", origin)], None);
    assert!(from("https://auth.example"));
    assert!(from("https://app.example"));
    assert!(!from("https://evil.example"));
    assert!(!from("https://auth.example.evil.example"));
    assert!(!from("null"));
    let twice =
        [cookie(), ("x-csrf-token", TOKEN), ("origin", "https://app.example"), ("origin", "https://evil.example")];
    assert!(!verify(&twice, None));
}

#[test]
fn allowed_origin_is_foreign_where_only_own_pages_may_post() {
    let from = |headers: &[(&'static str, &str)]| {
        verify_from(Origins::Own, &[&[cookie(), ("x-csrf-token", TOKEN)], headers].concat(), None)
    };
    assert!(from(&[]));
    assert!(from(&[("origin", "https://auth.example")]));
    assert!(from(&[("sec-fetch-site", "same-origin"), ("origin", "https://auth.example")]));
    assert!(!from(&[("origin", "https://app.example")]));
    assert!(!from(&[("sec-fetch-site", "same-site"), ("origin", "https://app.example")]));
}

fn refusal(headers: &[(&'static str, &str)]) -> CsrfRefusal {
    let environment: Environment = [("SVC_BASE_URL", "https://auth.example")].into_iter().collect();
    let settings = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings;
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, value.parse().unwrap());
    }
    super::verify(&settings, &map, Some(TOKEN), Origins::Own).unwrap_err()
}

#[test]
fn refusal_tells_a_lost_cookie_and_another_origin_from_an_old_page() {
    let other = format!("svc_csrf={OTHER}");
    let at = |origin: &str| CsrfRefusal::OtherOrigin(Origin::parse(origin).unwrap());
    assert_eq!(refusal(&[]), CsrfRefusal::NoCookie);
    assert_eq!(refusal(&[("origin", "https://auth.example")]), CsrfRefusal::NoCookie);
    assert_eq!(refusal(&[("origin", "null")]), CsrfRefusal::NoCookie);
    // `Secure` cookies are not kept where the page came by http; those of a domain not under another name.
    assert_eq!(refusal(&[("origin", "http://auth.example")]), at("http://auth.example"));
    let under_another_name = [("sec-fetch-site", "same-origin"), ("origin", "https://other.example")];
    assert_eq!(refusal(&under_another_name), at("https://other.example"));
    assert_eq!(refusal(&[cookie(), ("origin", "http://nas.lan:8080")]), at("http://nas.lan:8080"));
    assert_eq!(refusal(&[cookie(), ("origin", "null")]), CsrfRefusal::Stale);
    assert_eq!(refusal(&[("cookie", &other)]), CsrfRefusal::Stale);
    assert_eq!(refusal(&[("cookie", &other), ("origin", "http://nas.lan")]), CsrfRefusal::Stale);
}
