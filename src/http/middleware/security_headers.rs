//! The security headers of every response (OWASP HTTP Headers Cheat Sheet).

use super::layer::{InnerService, Layer};
use crate::http::content_policy::content_policy;
use crate::settings::Settings;
use axum::extract::Request;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, Entry, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Two years, without `includeSubDomains`: subdomains may run other services.
const HSTS: &str = "max-age=63072000";

/// The headers, built once per instance.
pub struct SecurityHeaders(Vec<(HeaderName, HeaderValue)>);

impl SecurityHeaders {
    pub fn new(settings: &Settings) -> Self {
        let mut headers = vec![
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
            (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
            (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
        ];
        // The first one is our own.
        if let Ok(policy) = HeaderValue::try_from(content_policy(settings.server.return_targets().skip(1))) {
            headers.push((CONTENT_SECURITY_POLICY, policy));
        }
        if settings.server.base_url.is_https() {
            headers.push((STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS)));
        }
        Self(headers)
    }
}

/// Adds the headers that the handler did not set itself.
impl Layer for SecurityHeaders {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let mut response = next.run(request).await;
        let headers = response.headers_mut();
        headers.reserve(self.0.len());
        for (name, value) in &self.0 {
            if let Entry::Vacant(entry) = headers.entry(name) {
                entry.insert(value.clone());
            }
        }
        response
    }
}
