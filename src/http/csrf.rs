//! CSRF protection of state-changing requests: double-submit cookie and origin check (docs/reference/browser.md 4;
//! OWASP Cross-Site Request Forgery Prevention: double submit, fetch metadata).

use super::cookies;
use crate::crypto::csrf;
use crate::settings::{Origin, Settings};
use axum::http::header::{ORIGIN, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::Response;

/// The header that repeats the cookie's token.
pub const HEADER: HeaderName = HeaderName::from_static("x-csrf-token");
/// The form field that repeats the cookie's token.
pub const FIELD: &str = "csrf_token";

pub const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Which origins may send a route's requests. A route says so beside its path in `router.rs`; one that says nothing
/// accepts its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origins {
    /// Only the service's own pages.
    #[default]
    Own,
    /// Also the pages of `SVC_ALLOWED_ORIGINS`.
    Allowed,
}

/// Why a change was refused. But for an old page, trying again does not help: the reader is told what does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsrfRefusal {
    /// There is no token, or another one than the cookie's: the page is old.
    Stale,
    /// The form came from a page of ours, and the browser has not kept our cookie.
    NoCookie,
    /// The form came from a page of this other origin, which may be ours under another name or scheme.
    OtherOrigin(Origin),
}

/// The usable token of the request's cookie, or `None`.
pub fn token<'a>(settings: &'a Settings, headers: &'a HeaderMap) -> Option<&'a str> {
    cookies::values(headers, settings.name.csrf_cookie()).find(|value| csrf::is_usable(value))
}

/// Returns the cookie's token if the request repeats it in the header or `field` and comes from one of `origins`.
///
/// A token that a client generated itself passes too: what counts is that the sender can read the cookie.
pub fn verify<'a>(
    settings: &'a Settings,
    headers: &'a HeaderMap,
    field: Option<&str>,
    origins: Origins,
) -> Result<&'a str, CsrfRefusal> {
    let header = headers.get(&HEADER).and_then(|value| value.to_str().ok());
    let repeated = header.or(field).filter(|value| !value.is_empty()).ok_or(CsrfRefusal::Stale)?;
    let mut cookies = cookies::values(headers, settings.name.csrf_cookie()).peekable();
    let has_cookie = cookies.peek().is_some();
    let token = cookies.find(|value| csrf::equal(value, repeated));
    if let Some(token) = token.filter(|_| origin_is_permitted(settings, headers, origins)) {
        return Ok(token);
    }
    if has_cookie && token.is_none() {
        return Err(CsrfRefusal::Stale);
    }
    Err(match other_origin(settings, headers, origins) {
        Some(origin) => CsrfRefusal::OtherOrigin(origin),
        None if !has_cookie && csrf::is_usable(repeated) => CsrfRefusal::NoCookie,
        None => CsrfRefusal::Stale,
    })
}

/// Gives a client that has no token one in the cookie (docs/reference/browser.md 3), unless the response sets it already.
pub fn give_cookie(settings: &Settings, request: &HeaderMap, response: &mut Response) {
    if token(settings, request).is_some() {
        return;
    }
    let name = settings.name.csrf_cookie().as_bytes();
    let is_csrf =
        |cookie: &HeaderValue| cookie.as_bytes().strip_prefix(name).is_some_and(|rest| rest.starts_with(b"="));
    if response.headers().get_all(SET_COOKIE).into_iter().any(is_csrf) {
        return;
    }
    let token = csrf::generate().ok();
    if let Some(cookie) = token.and_then(|token| cookies::csrf(settings, &token)) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

fn origin_is_permitted(settings: &Settings, headers: &HeaderMap, permitted: Origins) -> bool {
    let mut origins = headers.get_all(ORIGIN).into_iter();
    let origin = origins.next().map(|value| value.to_str().unwrap_or_default());
    if origins.next().is_some() {
        return false;
    }
    let allowed = |origin: &str| permitted == Origins::Allowed && is_allowed_origin(settings, origin);
    match headers.get(&SEC_FETCH_SITE).map(|site| site.to_str().unwrap_or_default()) {
        Some("same-origin" | "none") => true,
        Some(_) => origin.is_some_and(allowed),
        None => origin.is_none_or(|origin| origin == settings.server.base_url.as_str() || allowed(origin)),
    }
}

/// The origin that the request says it comes from, where that may not send it.
fn other_origin(settings: &Settings, headers: &HeaderMap, permitted: Origins) -> Option<Origin> {
    let origin = Origin::parse(headers.get(ORIGIN)?.to_str().ok()?)?;
    let is_allowed = permitted == Origins::Allowed && is_allowed_origin(settings, origin.as_str());
    (origin != settings.server.base_url && !is_allowed).then_some(origin)
}

/// Whether an `Origin` header names one of `SVC_ALLOWED_ORIGINS`.
pub fn is_allowed_origin(settings: &Settings, origin: &str) -> bool {
    settings.server.allowed_origins.iter().map(Origin::as_str).any(|allowed| allowed == origin)
}

#[cfg(test)]
#[path = "csrf_tests.rs"]
mod tests;
