//! Cookies: read without allocation, written with the attributes of contract.md 3.

use crate::domain::login::pending::HALF_LOG_IN_LIFE;
use crate::domain::mfa::trusted_devices::DEVICE_LIFE;
use crate::domain::session::lifecycle::CookieToken;
use crate::messages::Locale;
use crate::settings::Settings;
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use secrecy::ExposeSecret;
use std::time::Duration;

/// The choice of a language is kept for this long.
const LANGUAGE_KEPT: Duration = Duration::from_hours(365 * 24);

/// Every value that the request carries under a cookie's name, in the order of their standing: a browser sends more
/// than one when they were set for different paths or domains, and only some may be worth something.
pub fn values<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    headers
        .get_all(COOKIE)
        .into_iter()
        // Byte by byte: other applications' cookies on the same host need not be ASCII.
        .flat_map(|header| header.as_bytes().split(|byte| *byte == b';'))
        .filter_map(move |pair| pair.trim_ascii().strip_prefix(name.as_bytes())?.strip_prefix(b"="))
        .filter_map(|value| std::str::from_utf8(value).ok())
        .map(|value| value.trim_matches('"'))
}

/// The `Set-Cookie` header for the access token.
pub fn access(settings: &Settings, token: &CookieToken) -> Option<HeaderValue> {
    set(settings, settings.name.access_cookie(), token.token.expose_secret(), token.max_age, true)
}

/// The `Set-Cookie` header for the refresh token.
pub fn refresh(settings: &Settings, token: &CookieToken) -> Option<HeaderValue> {
    set(settings, settings.name.refresh_cookie(), token.token.expose_secret(), token.max_age, true)
}

/// The `Set-Cookie` header for the CSRF token, which the page's own JavaScript may read.
pub fn csrf(settings: &Settings, token: &str) -> Option<HeaderValue> {
    set(settings, settings.name.csrf_cookie(), token, settings.sessions.session_ttl, false)
}

/// The `Set-Cookie` header for a language that somebody chose.
pub fn language(settings: &Settings, locale: Locale) -> Option<HeaderValue> {
    set(settings, settings.name.language_cookie(), locale.tag(), LANGUAGE_KEPT, true)
}

/// The headers that make a browser forget the session.
pub fn clear_session(settings: &Settings) -> impl Iterator<Item = HeaderValue> {
    [settings.name.access_cookie(), settings.name.refresh_cookie()]
        .into_iter()
        .filter_map(|name| set(settings, name, "", Duration::ZERO, true))
}

/// The `Set-Cookie` header of a log-in whose second factor is still to come.
pub fn log_in(settings: &Settings, token: &str) -> Option<HeaderValue> {
    set_for_log_in(settings, settings.name.log_in_cookie(), token, HALF_LOG_IN_LIFE)
}

/// The header that makes a browser forget such a log-in.
pub fn clear_log_in(settings: &Settings) -> Option<HeaderValue> {
    set_for_log_in(settings, settings.name.log_in_cookie(), "", Duration::ZERO)
}

/// The `Set-Cookie` header of a device that is not asked for the second factor.
pub fn device(settings: &Settings, token: &str) -> Option<HeaderValue> {
    set_for_log_in(settings, settings.name.device_cookie(), token, DEVICE_LIFE)
}

/// A cookie that is only for the pages of the log-in on this host: applications have no use for it.
fn set_for_log_in(settings: &Settings, name: &str, value: &str, max_age: Duration) -> Option<HeaderValue> {
    let mut cookie = format!("{name}={value}; Path=/auth/login; Max-Age={}; SameSite=Lax; HttpOnly", max_age.as_secs());
    if settings.server.base_url.is_https() {
        cookie.push_str("; Secure");
    }
    sensitive(cookie)
}

fn sensitive(cookie: String) -> Option<HeaderValue> {
    let mut header = HeaderValue::try_from(cookie).ok()?;
    header.set_sensitive(true);
    Some(header)
}

fn set(settings: &Settings, name: &str, value: &str, max_age: Duration, http_only: bool) -> Option<HeaderValue> {
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
