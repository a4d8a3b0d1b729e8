//! Cookies: read without allocation, written with the attributes of docs/reference/browser.md 3.

use crate::domain::login::pending::PENDING_LOGIN_TTL;
use crate::domain::mfa::trusted_devices::TRUSTED_DEVICE_TTL;
use crate::domain::session::lifecycle::CookieToken;
use crate::messages::Locale;
use crate::settings::Settings;
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use secrecy::ExposeSecret;
use std::time::Duration;

const LANGUAGE_TTL: Duration = Duration::from_hours(365 * 24);

/// All values of the cookies of a name, in order: a browser sends several if they were set for different paths or
/// domains, and not all may be valid.
pub fn values<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(COOKIE)
        .into_iter()
        // As bytes: cookies of other applications on the same host need not be ASCII.
        .flat_map(|header| pairs(header.as_bytes()))
        .filter_map(move |pair| pair.trim_ascii().strip_prefix(name.as_bytes())?.strip_prefix(b"="))
        .filter_map(|value| std::str::from_utf8(value).ok())
        .map(|value| value.trim_matches('"'))
}

/// The pairs of a header, found many bytes at a time: `GET /user` reads its cookies twice.
fn pairs(header: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    memchr::memchr_iter(b';', header).chain([header.len()]).filter_map(move |end| {
        let pair = header.get(start..end);
        start = end + 1;
        pair
    })
}

pub fn access(settings: &Settings, token: &CookieToken) -> Option<HeaderValue> {
    shared_cookie(settings, settings.name.access_cookie(), token.token.expose_secret(), token.max_age, true)
}

pub fn refresh(settings: &Settings, token: &CookieToken) -> Option<HeaderValue> {
    shared_cookie(settings, settings.name.refresh_cookie(), token.token.expose_secret(), token.max_age, true)
}

/// The `Set-Cookie` header for the CSRF token, which JavaScript may read (double submit).
pub fn csrf(settings: &Settings, token: &str) -> Option<HeaderValue> {
    shared_cookie(settings, settings.name.csrf_cookie(), token, settings.sessions.session_ttl, false)
}

/// The `Set-Cookie` header for the chosen language.
pub fn language(settings: &Settings, locale: Locale) -> Option<HeaderValue> {
    shared_cookie(settings, settings.name.language_cookie(), locale.tag(), LANGUAGE_TTL, true)
}

pub fn clear_session(settings: &Settings) -> impl Iterator<Item = HeaderValue> {
    [settings.name.access_cookie(), settings.name.refresh_cookie()]
        .into_iter()
        .filter_map(|name| shared_cookie(settings, name, "", Duration::ZERO, true))
}

/// The `Set-Cookie` header of a pending login, which waits for its second factor.
pub fn pending_login(settings: &Settings, token: &str) -> Option<HeaderValue> {
    login_cookie(settings, settings.name.pending_login_cookie(), token, PENDING_LOGIN_TTL)
}

pub fn clear_pending_login(settings: &Settings) -> Option<HeaderValue> {
    login_cookie(settings, settings.name.pending_login_cookie(), "", Duration::ZERO)
}

/// Expired `Set-Cookie` headers with this value, one of each kind, to see whether they arrive as they were sent.
pub fn examined(settings: &Settings, value: &str) -> impl Iterator<Item = HeaderValue> {
    let shared = shared_cookie(settings, &format!("{}_doctor", settings.name.as_str()), value, Duration::ZERO, true);
    clear_pending_login(settings).into_iter().chain(shared)
}

/// The `Set-Cookie` header of a trusted device, which skips the second factor.
pub fn trusted_device(settings: &Settings, token: &str) -> Option<HeaderValue> {
    login_cookie(settings, settings.name.device_cookie(), token, TRUSTED_DEVICE_TTL)
}

fn login_cookie(settings: &Settings, name: &str, value: &str, max_age: Duration) -> Option<HeaderValue> {
    of_this_host(settings, name, value, "/auth/login", max_age)
}

/// A cookie for some pages on this host only: applications do not need it.
pub(super) fn of_this_host(
    settings: &Settings,
    name: &str,
    value: &str,
    path: &str,
    max_age: Duration,
) -> Option<HeaderValue> {
    let secure = if settings.server.base_url.is_https() { "; Secure" } else { "" };
    let age = max_age.as_secs();
    sensitive(format!("{name}={value}; Path={path}; Max-Age={age}; SameSite=Lax; HttpOnly{secure}"))
}

fn sensitive(cookie: String) -> Option<HeaderValue> {
    let mut header = HeaderValue::try_from(cookie).ok()?;
    header.set_sensitive(true);
    Some(header)
}

/// A cookie for all paths, with the configured `Domain`.
fn shared_cookie(
    settings: &Settings,
    name: &str,
    value: &str,
    max_age: Duration,
    http_only: bool,
) -> Option<HeaderValue> {
    // Rounded up: zero would delete the cookie.
    let seconds = max_age.as_secs() + u64::from(max_age.subsec_nanos() > 0);
    let mut cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; SameSite=Lax");
    if http_only {
        cookie.push_str("; HttpOnly");
    }
    if settings.server.base_url.is_https() {
        cookie.push_str("; Secure");
    }
    if let Some(domain) = &settings.server.cookie_domain {
        cookie.push_str("; Domain=");
        cookie.push_str(domain);
    }
    sensitive(cookie)
}

#[cfg(test)]
#[path = "cookies_tests.rs"]
mod tests;
