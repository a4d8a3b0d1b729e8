#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use axum::body::Body;
use axum::http::HeaderValue;

fn settings() -> Settings {
    let name = crate::settings::ServiceName::parse("svc").unwrap();
    let environment = [("SVC_BASE_URL".to_owned(), "https://id.example.org".to_owned())].into_iter().collect();
    Settings::load(&name, &environment).unwrap().settings
}

fn negotiate(accept: &str, cookie: &str) -> Locale {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT_LANGUAGE, HeaderValue::from_str(accept).unwrap());
    headers.insert("cookie", HeaderValue::from_str(cookie).unwrap());
    locale(&settings(), &headers)
}

#[test]
fn valid_language_cookie_overrides_accept_language() {
    assert_eq!(negotiate("de", ""), Locale::GERMAN);
    assert_eq!(negotiate("de", "svc_lang=en"), Locale::ENGLISH);
    assert_eq!(negotiate("en", "other=de; svc_lang=de"), Locale::GERMAN);
    assert_eq!(negotiate("de", "svc_lang=tlh"), Locale::GERMAN);
    assert_eq!(locale(&settings(), &HeaderMap::new()), Locale::ENGLISH);
}

#[test]
fn supported_language_with_highest_weight_wins() {
    for (accept, expected) in [
        ("de-AT,de;q=0.9,en;q=0.8", Locale::GERMAN),
        ("nl-BE, de;q=0.5, en;q=0.4", Locale::GERMAN),
        ("en;q=0.8, de;q=0.81", Locale::GERMAN),
        ("en, de", Locale::ENGLISH),
        ("DE", Locale::GERMAN),
        ("de;q=0, en;q=0.1", Locale::ENGLISH),
        ("nl, *;q=0.5, de;q=0.4", Locale::ENGLISH),
        ("nl, it", Locale::ENGLISH),
        ("de;q=banana", Locale::ENGLISH),
        ("de;q=7", Locale::ENGLISH),
        ("de;q=10000", Locale::ENGLISH),
        ("de;q=65535.999", Locale::ENGLISH),
        ("de;q=0.12345", Locale::ENGLISH),
        (";;,,;q=", Locale::ENGLISH),
    ] {
        assert_eq!(negotiate(accept, ""), expected, "{accept}");
    }
}

fn return_path_of(method: Method, path: &str, referer: &str) -> String {
    let request = Request::builder().method(method).uri(path).header(REFERER, referer).body(Body::empty()).unwrap();
    Language::of(&settings(), &request).return_path.to_string()
}

#[test]
fn return_path_is_a_page_on_this_origin() {
    assert_eq!(return_path_of(Method::GET, "/auth/login?return_to=%2Fapp", ""), "/auth/login?return_to=%2Fapp");
    let form = "https://id.example.org/auth/signup?invitation=x#y";
    assert_eq!(return_path_of(Method::POST, "/auth/signup", form), "/auth/signup?invitation=x");
    assert_eq!(return_path_of(Method::POST, "/auth/signup", "https://id.example.org.evil.example/"), "/auth/");
    assert_eq!(return_path_of(Method::POST, "/auth/signup", "https://id.example.org//evil.example/"), "/auth/");
    assert_eq!(return_path_of(Method::GET, "//evil.example/", ""), "/auth/");
}
