#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::settings::{Environment, ServiceName};
use secrecy::SecretString;

fn settings(variables: &[(&str, &str)]) -> Settings {
    let environment: Environment = variables.iter().copied().collect();
    Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings
}

fn token(millis: u64) -> CookieToken {
    CookieToken { token: SecretString::from("t"), max_age: Duration::from_millis(millis) }
}

#[test]
fn values_returns_all_cookies_of_the_name_only() {
    let mut headers = HeaderMap::new();
    headers.append(COOKIE, "a=1; svc_access=one;svc_access=\"two\"; svc_access_x=no; xsvc_access=no".parse().unwrap());
    headers.append(COOKIE, "svc_access=three; svc_access; =".parse().unwrap());
    assert_eq!(values(&headers, "svc_access").collect::<Vec<_>>(), ["one", "two", "three"]);
}

#[test]
fn non_ascii_cookies_do_not_hide_others() {
    let mut headers = HeaderMap::new();
    headers.append(COOKIE, HeaderValue::from_bytes("x=Jürgen; svc_access=one; y=\u{1f600}".as_bytes()).unwrap());
    headers.append(COOKIE, HeaderValue::from_bytes(b"svc_access=\xff; svc_access=two").unwrap());
    assert_eq!(values(&headers, "svc_access").collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn cookie_attributes_follow_the_protocol() {
    let plain = settings(&[]);
    assert_eq!(access(&plain, &token(600_000)).unwrap(), "svc_access=t; Path=/; Max-Age=600; SameSite=Lax; HttpOnly");
    assert_eq!(csrf(&plain, "c").unwrap(), "svc_csrf=c; Path=/; Max-Age=5184000; SameSite=Lax");
    let secure = settings(&[("SVC_BASE_URL", "https://auth.app.example"), ("SVC_COOKIE_DOMAIN", "app.example")]);
    assert_eq!(
        refresh(&secure, &token(1000)).unwrap(),
        "svc_refresh=t; Path=/; Max-Age=1; SameSite=Lax; HttpOnly; Secure; Domain=app.example"
    );
}

#[test]
fn max_age_below_one_second_is_rounded_up() {
    assert!(access(&settings(&[]), &token(1)).unwrap().to_str().unwrap().contains("Max-Age=1;"));
}

#[test]
fn clear_session_clears_both_session_cookies() {
    let cleared: Vec<_> = clear_session(&settings(&[])).collect();
    assert_eq!(cleared[0], "svc_access=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly");
    assert_eq!(cleared[1], "svc_refresh=; Path=/; Max-Age=0; SameSite=Lax; HttpOnly");
}
