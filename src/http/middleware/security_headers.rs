//! The security headers of every response (OWASP HTTP Headers Cheat Sheet).

use super::layer::{InnerService, Layer};
use crate::settings::{Origin, Settings};
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

/// The Content Security Policy (level 3) of every page.
///
/// It allows only our own stylesheet, script and icon, and no framing. `form-action` includes `return_origins`:
/// Chromium applies it to the redirect that answers a form, so a login could not end at an application on another
/// origin without them.
pub fn content_policy<'a>(return_origins: impl IntoIterator<Item = &'a Origin>) -> String {
    let mut policy = String::from(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; \
         frame-ancestors 'none'; form-action 'self'",
    );
    for origin in return_origins {
        policy.push(' ');
        policy.push_str(origin.as_str());
    }
    policy
}

#[cfg(test)]
#[path = "security_headers_tests.rs"]
mod tests;
