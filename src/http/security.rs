//! The security headers of every response (OWASP HTTP Headers Cheat Sheet).

use super::content_policy::content_policy;
use crate::settings::Settings;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use std::sync::Arc;

/// Two years, without `includeSubDomains`: subdomains may run other services.
const HSTS: &str = "max-age=63072000";

/// The headers, built once per instance.
#[derive(Clone)]
pub struct SecurityHeaders(Arc<[(HeaderName, HeaderValue)]>);

impl SecurityHeaders {
    /// Builds the headers from the settings.
    pub fn new(settings: &Settings) -> Self {
        let mut headers = vec![
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
            (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
            (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
        ];
        if let Ok(policy) = HeaderValue::try_from(content_policy(&settings.server.allowed_origins)) {
            headers.push((CONTENT_SECURITY_POLICY, policy));
        }
        if settings.server.base_url.is_https() {
            headers.push((STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS)));
        }
        Self(headers.into())
    }

    /// Adds the headers that the handler did not set itself.
    pub fn add(&self, headers: &mut HeaderMap) {
        headers.reserve(self.0.len());
        for (name, value) in self.0.iter() {
            if !headers.contains_key(name) {
                headers.insert(name, value.clone());
            }
        }
    }
}
