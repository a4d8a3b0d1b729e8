//! The security headers of every response (OWASP HTTP Headers Cheat Sheet).

use crate::settings::{Origin, Settings};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, Entry, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// Two years, without `includeSubDomains`: subdomains may run other services.
const HSTS: &str = "max-age=63072000";

/// The headers of a group of routes, built once per instance.
pub struct SecurityHeaders(Vec<(HeaderName, HeaderValue)>);

impl SecurityHeaders {
    /// For answers that no browser is meant to show.
    pub fn of_programs(settings: &Settings) -> Self {
        let policy = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
        Self::new(settings, Vec::new(), policy)
    }

    /// For pages, which have links and windows of their own.
    pub fn of_pages(settings: &Settings) -> Self {
        let of_documents = vec![
            (REFERRER_POLICY, HeaderValue::from_static("same-origin")),
            (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
            (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
        ];
        let policy = content_policy(settings.server.return_targets());
        // No origin has a character that a header may not have.
        let policy = HeaderValue::try_from(policy).unwrap_or(HeaderValue::from_static("default-src 'none'"));
        Self::new(settings, of_documents, policy)
    }

    fn new(settings: &Settings, of_documents: Vec<(HeaderName, HeaderValue)>, policy: HeaderValue) -> Self {
        let mut headers = vec![
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        ];
        headers.extend(of_documents);
        headers.extend([
            (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
            (CONTENT_SECURITY_POLICY, policy),
        ]);
        if settings.server.base_url.is_https() {
            headers.push((STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(HSTS)));
        }
        Self(headers)
    }

    /// Adds those that the handler did not set itself.
    pub fn complete(&self, response: &mut Response) {
        let headers = response.headers_mut();
        // And the id of the request.
        headers.reserve(self.0.len() + 1);
        for (name, value) in &self.0 {
            if let Entry::Vacant(entry) = headers.entry(name) {
                entry.insert(value.clone());
            }
        }
    }
}

/// The Content Security Policy (level 3) of every page.
///
/// It allows only our own stylesheet, script and icon, and no framing. `form-action` includes the targets of a return,
/// the first of which is our own origin: Chromium applies it to the redirects that answer a form, so a login could not
/// end at an application on another origin without them. It names our own origin too, since an application may redirect
/// back to it from a page that was opened under another name, such as 127.0.0.1 for localhost.
pub fn content_policy<'a>(return_targets: impl IntoIterator<Item = &'a Origin>) -> String {
    let mut policy = String::from(
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; \
         frame-ancestors 'none'; form-action 'self'",
    );
    let targets: Vec<_> = return_targets.into_iter().map(Origin::as_str).collect();
    if targets.len() > 1 {
        policy.push(' ');
        policy.push_str(&targets.join(" "));
    }
    policy
}

#[cfg(test)]
#[path = "security_headers_tests.rs"]
mod tests;
