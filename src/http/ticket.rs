//! A browser that signed up, or gave a right password, and is to prove an address before it is let in: a sealed cookie
//! that says what it waits for, so that link or code count as given by whoever made the account.

use super::cookies;
use crate::context::App;
use crate::crypto::seal::Place;
use crate::model::ids::AccountTokenId;
use crate::model::time::Time;
use crate::model::verification::Kind;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::time::Duration;
use uuid::Uuid;

const PLACE: Place<'static> = Place { table: "cookie", row: b"", column: "pending" };
/// A browser sends one; a few more may come from other paths.
const MAX_CANDIDATES: usize = 4;

/// The `Set-Cookie` header for a browser that waits for this.
pub fn set(app: &App, waits_for: AccountTokenId) -> Option<HeaderValue> {
    let ttl = Kind::SignUp.link_ttl();
    let ends = (app.clock.now() + ttl).as_micros().to_be_bytes();
    let sealed = app.secret_keys.seal(&PLACE, &[waits_for.0.as_bytes().as_slice(), &ends].concat()).ok()?;
    cookie(app, &URL_SAFE_NO_PAD.encode(sealed), ttl)
}

/// The header that makes a browser forget it.
pub fn clear(app: &App) -> Option<HeaderValue> {
    cookie(app, "", Duration::ZERO)
}

/// What the browser waits for.
pub fn read(app: &App, headers: &HeaderMap) -> Option<AccountTokenId> {
    let name = app.settings.name.pending_cookie();
    cookies::values(headers, name).take(MAX_CANDIDATES).find_map(|value| open(app, value))
}

fn open(app: &App, value: &str) -> Option<AccountTokenId> {
    let sealed = URL_SAFE_NO_PAD.decode(value).ok()?;
    let plain = app.secret_keys.open(&PLACE, &sealed).ok()?;
    let (id, ends) = plain.split_at_checked(16)?;
    let ends = Time::from_micros(i64::from_be_bytes(ends.try_into().ok()?));
    (app.clock.now() < ends).then_some(AccountTokenId(Uuid::from_slice(id).ok()?))
}

/// Only for the pages about addresses, on this host: applications have no use for it.
fn cookie(app: &App, value: &str, max_age: Duration) -> Option<HeaderValue> {
    let name = app.settings.name.pending_cookie();
    let secure = if app.settings.server.base_url.is_https() { "; Secure" } else { "" };
    let age = max_age.as_secs();
    let cookie = format!("{name}={value}; Path=/auth/email; Max-Age={age}; SameSite=Lax; HttpOnly{secure}");
    let mut header = HeaderValue::try_from(cookie).ok()?;
    header.set_sensitive(true);
    Some(header)
}
