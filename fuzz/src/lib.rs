//! One function for each parser of untrusted input, with what must hold for every input.
//!
//! Here is what requests are read by; the modules have the JSON API, the gate, the answers of webhook receivers, and what
//! the operator gives. `fuzz_targets` feeds them random input; `tests/it/fuzz_corpus.rs` replays the files of `corpus`
//! in every test run.

mod api;
mod gate;
mod operator;
mod webhook;

pub use api::{api_body, api_cursor};
pub use gate::{gate_rules, original_url};
pub use operator::{env_file, logo, messages, settings};
pub use webhook::webhook_answer;

use axum::http::header::{ACCEPT_LANGUAGE, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use doorward::crypto::access_token::{KeyRing, TokenVerifier};
use doorward::crypto::refresh_token;
use doorward::http::{client, cookies, form, language, return_to};
use doorward::model::time::Time;
use doorward::settings::{Environment, Hs256Keys, ServiceName, Settings};
use std::net::{IpAddr, Ipv4Addr};
use std::str::from_utf8;
use std::sync::LazyLock;

/// The peer of every request, a trusted proxy.
const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    load(&[
        ("SVC_BASE_URL", "https://auth.example"),
        ("SVC_ALLOWED_ORIGINS", "https://app.example,http://localhost:3000"),
        ("SVC_TRUSTED_PROXIES", "10.0.0.0/8"),
        ("SVC_JWT_KEYS", "one:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="),
    ])
});

static VERIFIER: LazyLock<TokenVerifier> = LazyLock::new(|| {
    let keys = Hs256Keys { keys: vec![("one".to_owned(), vec![1; 32].into())], active: "one".to_owned() };
    TokenVerifier::new(KeyRing::hs256(&keys), "https://auth.example", &["app".to_owned(), "admin".to_owned()])
});

fn load(variables: &[(&str, &str)]) -> Settings {
    let environment: Environment = variables.iter().copied().collect();
    let name = ServiceName::parse("svc").expect("a service name");
    Settings::load(&name, &environment).unwrap_or_else(|problems| panic!("{problems}")).settings
}

/// The header with this value, if it can be one.
fn header(value: &[u8]) -> Option<HeaderValue> {
    HeaderValue::from_bytes(value).ok()
}

/// A `Cookie` header: a value of ours is a part of the header, without the separators of others.
pub fn cookies(input: &[u8]) {
    let Some(value) = header(input) else { return };
    let mut headers = HeaderMap::new();
    headers.append(COOKIE, value.clone());
    headers.append(COOKIE, value);
    let found: Vec<&str> = cookies::values(&headers, "svc_access").collect();
    for value in &found {
        assert!(!value.contains(';') && !value.starts_with('"') && !value.ends_with('"'));
        assert!(value.is_empty() || input.windows(value.len()).any(|part| part == value.as_bytes()));
    }
    assert!(found.len().is_multiple_of(2) && found.len() <= input.len());
}

/// A form body: few fields, and text.
pub fn form(input: &[u8]) {
    let Ok(fields) = form::parse(input) else { return };
    assert!(input.split(|byte| *byte == b'&').count() <= 64);
    for name in ["csrf_token", "email", "password", "return_to"] {
        assert!(!fields.text(name).contains('\0'));
        assert!(fields.single(name).is_none_or(|value| fields.get(name) == Some(value)));
    }
}

pub fn query(input: &[u8]) {
    let Ok(text) = from_utf8(input) else { return };
    let fields = form::query(Some(text));
    if form::has_too_many_fields(text) {
        assert_eq!(fields.get("return_to"), None);
    }
    if let Some(target) = fields.get("return_to") {
        return_to(target.as_bytes());
    }
}

/// A redirect's target: what is accepted stays on this origin or an allowed one.
pub fn return_to(input: &[u8]) {
    if let Ok(target) = from_utf8(input) {
        stays_allowed(&SETTINGS, target);
    }
}

fn stays_allowed(settings: &Settings, target: &str) {
    if return_to::accept(settings, target).is_none() {
        return;
    }
    let location = return_to::encode_location(target);
    assert!(header(location.as_bytes()).is_some(), "{location}");
    assert!(!location.contains(['\\', '\r', '\n', '\t', '\0', ' ']), "{location}");
    let is_path = location.starts_with('/') && !location.starts_with("//");
    let lower = location.to_ascii_lowercase();
    let is_allowed = settings.server.return_targets().any(|origin| {
        lower.strip_prefix(origin.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
    });
    assert!(is_path || is_allowed, "{location}");
    assert!(return_to::accept(settings, &return_to::append("/auth/login", Some(target))).is_some());
}

/// `X-Forwarded-For` and, from the second line on, `Forwarded`: where they are read, the result is one of their
/// addresses or the peer's; where they are not, limits go by a proxy.
pub fn forwarded(input: &[u8]) {
    let mut lines = input.splitn(2, |byte| *byte == b'\n');
    let mut headers = HeaderMap::new();
    for (name, line) in ["x-forwarded-for", "forwarded"].into_iter().zip(&mut lines) {
        if let Some(value) = header(line) {
            headers.append(name, value);
        }
    }
    let client = client::resolve(&SETTINGS.server, &headers, PROXY);
    assert!(client.for_records.is_none_or(|address| address == client.for_limits));
    assert!(client.for_records.is_some() || client::is_trusted(&SETTINGS.server, &client.for_limits));
    let stranger = IpAddr::from([192, 0, 2, 1]);
    assert_eq!(client::resolve(&SETTINGS.server, &headers, stranger).for_records, Some(stranger));
}

pub fn accept_language(input: &[u8]) {
    let Some(value) = header(input) else { return };
    let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, value)]);
    let chosen = language::preferred(SETTINGS.pages.catalog(), &headers);
    assert_eq!(chosen, language::preferred(SETTINGS.pages.catalog(), &headers));
}

/// An access token: nothing but what the key has signed is valid, and costs a verification only if it names the key.
pub fn access_token(input: &[u8]) {
    let Ok(token) = from_utf8(input) else { return };
    let now = Time::from_micros(1_800_000_000_000_000);
    let before = VERIFIER.verifications();
    let valid = VERIFIER.verify_some(std::iter::once(token), now).count();
    // No input here is signed by the key.
    assert_eq!(valid, 0, "{token}");
    assert!(VERIFIER.verifications() == before || token.split('.').count() == 3);
}

/// A refresh token: one text for one token.
pub fn refresh_token(input: &[u8]) {
    let Ok(text) = from_utf8(input) else { return };
    if let Some(token) = refresh_token::parse(text) {
        assert!(text.starts_with("r1.") && text.len() == 83 && token.generation() >= 0, "{text}");
    }
}
