//! The cookie of a browser that began logins at providers: one secret for any number of tabs
//! (docs/reference/browser.md 8.5).

use super::cookies;
use crate::crypto::token_hash::LinkToken;
use crate::domain::provider_login::types::PROVIDER_LOGIN_TTL;
use crate::settings::Settings;
use axum::http::{HeaderMap, HeaderValue};

/// The secret of the browser. Of several values none counts: a sibling host may have planted one.
pub fn read<'a>(settings: &'a Settings, headers: &'a HeaderMap) -> Option<&'a str> {
    let mut values = cookies::values(headers, name(settings));
    let first = values.next()?;
    (values.next().is_none() && LinkToken::has_form_of(first)).then_some(first)
}

/// The `Set-Cookie` header for it. Over https the prefix `__Host-` needs the path `/` (RFC 6265bis, 4.1.3.2).
pub fn set(settings: &Settings, secret: &LinkToken) -> Option<HeaderValue> {
    let path = if settings.server.base_url.is_https() { "/" } else { "/auth/login/with" };
    cookies::of_this_host(settings, name(settings), secret.text(), path, PROVIDER_LOGIN_TTL)
}

fn name(settings: &Settings) -> &str {
    settings.name.provider_login_cookie(settings.server.base_url.is_https())
}
