#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{Environment, ServiceName, Settings};
use axum::http::HeaderValue;

fn origins() -> ProtectedOrigins {
    let variables = [
        ("SVC_BASE_URL", "https://auth.example.org"),
        ("SVC_COOKIE_DOMAIN", "example.org"),
        ("SVC_RETURN_ORIGINS", "https://app.example.org,https://far.example.net,http://plain.example.org"),
    ];
    let environment: Environment =
        variables.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let loaded = Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap();
    ProtectedOrigins::of(&loaded.settings)
}

fn read(headers: &[(&'static str, &str)], pinned: Option<PinnedOrigin>) -> Original {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        map.append(*name, HeaderValue::from_str(value).unwrap());
    }
    Original::read(&map, pinned, &origins())
}

const FORWARDED: [(&str, &str); 3] =
    [("x-forwarded-proto", "https"), ("x-forwarded-host", "app.example.org"), ("x-forwarded-uri", "/page?a=1,2&b=3")];

#[test]
fn address_is_read_from_either_kind_of_headers() {
    let nginx = read(&[("x-original-url", "https://APP.example.org:443/page?a=1&b=2")], None);
    assert_eq!(nginx.address(), Some((1, "/page?a=1&b=2")));
    assert!(nginx.is_nginx);
    let forwarded = read(&FORWARDED, None);
    assert_eq!(forwarded.address(), Some((1, "/page?a=1,2&b=3")));
    assert!(!forwarded.is_nginx);
    let both = [&FORWARDED[..], &[("x-original-url", "https://app.example.org/x")]].concat();
    assert_eq!(read(&both, None).address(), Some((1, "/x")));
}

#[test]
fn contradictions_doubles_lists_and_odd_paths_are_unknown() {
    for more in [
        ("x-original-url", "https://auth.example.org/page"),
        ("x-original-url", "page"),
        ("x-original-url", "https://app.example.org"),
        ("x-original-url", "https://app.example.org?/page"),
        ("x-original-url", "javascript://app.example.org/page"),
        ("x-forwarded-host", "auth.example.org"),
        ("x-forwarded-proto", "https"),
        ("x-forwarded-uri", "/other"),
    ] {
        let headers = [&FORWARDED[..], &[more]].concat();
        assert_eq!(read(&headers, None).address(), None, "{more:?}");
    }
    for (name, value) in [
        ("x-forwarded-host", "app.example.org, auth.example.org"),
        ("x-forwarded-host", "ada@app.example.org"),
        ("x-forwarded-proto", "https,http"),
        ("x-forwarded-uri", "page"),
        ("x-forwarded-uri", "https://app.example.org/page"),
    ] {
        let headers: Vec<_> =
            FORWARDED.into_iter().map(|header| if header.0 == name { (name, value) } else { header }).collect();
        assert_eq!(read(&headers, None).address(), None, "{name}: {value}");
    }
    assert_eq!(read(&[("x-forwarded-uri", "/page")], None).address(), None);
}

#[test]
fn origin_must_be_listed_and_get_the_cookies() {
    for (origin, obstacle) in [
        ("https://elsewhere.example.org", Obstacle::Unlisted),
        ("https://far.example.net", Obstacle::NoCookies),
        ("http://plain.example.org", Obstacle::NoCookies),
    ] {
        let original = read(&[("x-original-url", &format!("{origin}/page"))], None);
        assert_eq!(original.origin, Some(Err(obstacle)), "{origin}");
        assert_eq!((original.address(), original.audience()), (None, None));
    }
}

#[test]
fn pinned_origin_wins_over_headers() {
    let pinned = Some(PinnedOrigin::Protected(0));
    assert_eq!(read(&FORWARDED, pinned).address(), Some((0, "/page?a=1,2&b=3")));
    assert_eq!(read(&[("x-forwarded-uri", "/page")], pinned).address(), Some((0, "/page")));
    let bare = read(&[], pinned);
    assert_eq!((bare.address(), bare.audience()), (None, Some(0)));
    assert_eq!(read(&FORWARDED, Some(PinnedOrigin::Unlisted)).audience(), None);
}

#[test]
fn method_is_that_of_the_header_unless_it_is_doubled_or_contradicted() {
    let method = |headers: &[(&'static str, &str)]| read(headers, None).method;
    assert_eq!(method(&[]), OriginalMethod::Absent);
    assert_eq!(method(&[("x-forwarded-method", "POST")]), OriginalMethod::Known(Method::POST));
    assert_eq!(
        method(&[("x-original-method", "GET"), ("x-forwarded-method", "GET")]),
        OriginalMethod::Known(Method::GET)
    );
    for headers in [
        [("x-original-method", "GET"), ("x-forwarded-method", "POST")],
        [("x-original-method", "GET"), ("x-original-method", "GET")],
        [("x-original-method", "G T"), ("x-forwarded-uri", "/")],
    ] {
        assert_eq!(method(&headers), OriginalMethod::Unreadable, "{headers:?}");
    }
}

#[test]
fn navigation_is_told_from_script() {
    let is_navigation = |headers: &[(&'static str, &str)], own: &Method| {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        Original::read(&map, None, &origins()).is_navigation(&map, own)
    };
    let (navigate, html) = (("sec-fetch-mode", "navigate"), ("accept", "text/html,*/*"));
    assert!(is_navigation(&[navigate], &Method::GET));
    assert!(is_navigation(&[navigate, ("sec-fetch-dest", "document")], &Method::HEAD));
    assert!(!is_navigation(&[navigate, ("sec-fetch-dest", "iframe")], &Method::GET));
    assert!(is_navigation(&[html], &Method::GET));
    assert!(!is_navigation(&[("sec-fetch-mode", "cors"), html], &Method::GET));
    assert!(!is_navigation(&[], &Method::GET));
    assert!(!is_navigation(&[html], &Method::POST));
    assert!(!is_navigation(&[html, ("x-forwarded-method", "POST")], &Method::GET));
    assert!(is_navigation(&[html, ("x-forwarded-method", "GET")], &Method::POST));
    assert!(!is_navigation(&[navigate, navigate], &Method::GET));
}
