//! The gate: its rules, and what proxies say of the original request.

use super::{header, stays_allowed};
use axum::http::header::ACCEPT;
use axum::http::{HeaderMap, HeaderName, Method};
use doorward::http::{Original, OriginalMethod, PinnedOrigin, ProtectedOrigins, Rules};
use doorward::settings::{Origin, Settings, duration};
use std::fmt::Write;
use std::str::from_utf8;
use std::sync::LazyLock;

const ORIGINAL_URL: HeaderName = HeaderName::from_static("x-original-url");
const ORIGINAL_METHOD: HeaderName = HeaderName::from_static("x-original-method");

/// Of the origins, `app` gets the cookies, the others do not.
static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    super::load(&[
        ("SVC_BASE_URL", "https://auth.example.org"),
        ("SVC_COOKIE_DOMAIN", "example.org"),
        ("SVC_RETURN_ORIGINS", "https://app.example.org,https://far.example.net,http://plain.example.org"),
    ])
});

static ORIGINS: LazyLock<ProtectedOrigins> = LazyLock::new(|| ProtectedOrigins::of(&SETTINGS));

/// The rules in a query: none is skipped, and written again they are the same.
pub fn gate_rules(input: &[u8]) {
    let Ok(query) = from_utf8(input) else { return };
    let Ok(rules) = Rules::parse(Some(query), &ORIGINS) else { return };
    let again = written(&rules);
    let read_again = Rules::parse(Some(&again), &ORIGINS).expect("rules");
    assert_eq!(format!("{rules:?}"), format!("{read_again:?}"), "{again}");
    let count = |query: &str| query.split('&').filter(|rule| !rule.is_empty()).count();
    assert_eq!(count(query), count(&again), "{again}");
    for more in ["&verified=1", "&x", "&="] {
        assert!(Rules::parse(Some(&format!("{query}{more}")), &ORIGINS).is_err(), "{more}");
    }
    let repeated = format!("{query}&{query}");
    assert_eq!(Rules::parse(Some(&repeated), &ORIGINS).is_err(), count(query) > 0);
}

fn written(rules: &Rules) -> String {
    let origin = rules.origin.map(|origin| match origin {
        PinnedOrigin::Protected(place) => ORIGINS.get(place).expect("a protected origin").as_str(),
        PinnedOrigin::Unlisted => "https://unlisted.example",
    });
    let mut query = String::new();
    for (name, value) in [
        ("origin", origin.map(str::to_owned)),
        ("organization", rules.organization.map(|id| id.to_string())),
        ("role", rules.role.map(|role| role.as_str().to_owned())),
        ("platform", rules.platform.map(|role| role.as_str().to_owned())),
        ("fresh", rules.fresh.map(duration::format)),
        ("verified", rules.verified.then(String::new)),
        ("mfa", rules.mfa.then(String::new)),
        ("same-origin", rules.same_origin.then(String::new)),
        ("optional", rules.optional.then(String::new)),
        ("preflight", rules.preflight.then(String::new)),
    ] {
        if let Some(value) = value {
            write!(query, "{name}={value}&").expect("a string");
        }
    }
    query
}

/// The headers of a proxy, one in each line: what is known of the original request is of a protected origin that gets
/// the cookies, and a doubled header is not believed.
pub fn original_url(input: &[u8]) {
    let headers = headers(input);
    let original = Original::read(&headers, None, &ORIGINS);
    for method in [Method::GET, Method::POST] {
        navigation(&original, &headers, &method);
    }
    if let Some((place, target)) = original.address() {
        let origin = ORIGINS.get(place).expect("a protected origin");
        assert!(target.starts_with('/') && SETTINGS.server.receives_cookies(origin), "{target}");
        stays_allowed(&SETTINGS, target);
        stays_allowed(&SETTINGS, &format!("{}{target}", origin.as_str()));
        if let Some(url) = headers.get(ORIGINAL_URL) {
            let url = url.to_str().expect("text");
            assert_eq!(Origin::of_url(url).as_ref(), Some(origin), "{url}");
            assert!(url.ends_with(target), "{url}");
        }
    }
    assert_eq!(original.audience().is_some(), matches!(original.origin, Some(Ok(_))));
    pinned(&headers, &original);
    doubled(headers);
}

fn headers(input: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in input.split(|byte| *byte == b'\n').take(32) {
        let end = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, value) = line.split_at(end);
        let value = value.get(1..).unwrap_or_default().trim_ascii();
        if let (Ok(name), Some(value)) = (HeaderName::from_bytes(name), header(value)) {
            headers.append(name, value);
        }
    }
    headers
}

/// Only what is a GET or HEAD is the navigation of a person.
fn navigation(original: &Original, headers: &HeaderMap, own: &Method) {
    if !original.is_navigation(headers, own) {
        return;
    }
    let method = match &original.method {
        OriginalMethod::Known(method) => method,
        OriginalMethod::Absent => own,
        OriginalMethod::Unreadable => panic!("an unreadable method is none of a navigation"),
    };
    assert!([Method::GET, Method::HEAD].contains(method), "{method}");
    assert!(headers.contains_key("sec-fetch-mode") || headers.contains_key(ACCEPT));
}

/// The operator's origin wins over any header.
fn pinned(headers: &HeaderMap, read: &Original) {
    let own = Original::read(headers, Some(PinnedOrigin::Protected(0)), &ORIGINS);
    assert_eq!((own.audience(), &own.target, &own.method), (Some(0), &read.target, &read.method));
    let unlisted = Original::read(headers, Some(PinnedOrigin::Unlisted), &ORIGINS);
    assert_eq!((unlisted.audience(), unlisted.address()), (None, None));
}

fn doubled(mut headers: HeaderMap) {
    let (url, method) = (header(b"https://auth.example.org/").expect("a value"), header(b"GET").expect("a value"));
    headers.append(ORIGINAL_URL, url.clone());
    headers.append(ORIGINAL_URL, url);
    headers.append(ORIGINAL_METHOD, method.clone());
    headers.append(ORIGINAL_METHOD, method);
    let original = Original::read(&headers, None, &ORIGINS);
    assert_eq!((original.origin, &original.target), (None, &None));
    assert_eq!(original.method, OriginalMethod::Unreadable);
    assert!(!original.is_navigation(&headers, &Method::GET));
}
