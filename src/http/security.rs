//! The headers that every answer carries (OWASP HTTP Headers Cheat Sheet).

use super::content_policy::content_policy;
use crate::settings::Settings;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// For this host alone: what runs on its subdomains is not ours to decide.
const TWO_YEARS: &str = "max-age=63072000";

/// Adds them; what a handler set itself stays.
pub fn add_headers(settings: &Settings, headers: &mut HeaderMap) {
    let mut add = |name: HeaderName, value: HeaderValue| {
        headers.entry(name).or_insert(value);
    };
    add(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    add(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    add(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    add(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    add(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
    if let Ok(policy) = HeaderValue::try_from(content_policy(&settings.server.allowed_origins)) {
        add(CONTENT_SECURITY_POLICY, policy);
    }
    if settings.server.base_url.is_https() {
        add(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(TWO_YEARS));
    }
}
