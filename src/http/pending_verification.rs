//! The pending-verification cookie: the sealed id of the token that a browser waits for after a signup or login that
//! must verify its address first. It shows that the link or code is used in the browser that created the account.

use super::cookies;
use crate::context::App;
use crate::crypto::seal::SealContext;
use crate::model::ids::AccountTokenId;
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use axum::http::{HeaderMap, HeaderValue};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use std::time::Duration;
use uuid::Uuid;

const SEAL_CONTEXT: SealContext<'static> = SealContext { table: "cookie", row: b"", column: "pending" };

/// The `Set-Cookie` header for a browser that waits for this verification.
pub fn set(app: &App, token_id: AccountTokenId) -> Option<HeaderValue> {
    let ttl = AccountTokenKind::Signup.link_ttl();
    let expires_at = (app.clock.now() + ttl).as_micros().to_be_bytes();
    let sealed = app.secret_keys.seal(&SEAL_CONTEXT, &[token_id.0.as_bytes().as_slice(), &expires_at].concat()).ok()?;
    build_cookie(app, &URL_SAFE_NO_PAD.encode(sealed), ttl)
}

pub fn clear(app: &App) -> Option<HeaderValue> {
    build_cookie(app, "", Duration::ZERO)
}

/// The verification that the browser waits for.
pub fn read(app: &App, headers: &HeaderMap) -> Option<AccountTokenId> {
    let name = app.settings.name.pending_verification_cookie();
    // Without a limit on their number: opening takes a microsecond, and only what names a known key is opened.
    cookies::values(headers, name).find_map(|value| unseal(app, value))
}

fn unseal(app: &App, value: &str) -> Option<AccountTokenId> {
    let sealed = URL_SAFE_NO_PAD.decode(value).ok()?;
    let plain = app.secret_keys.open(&SEAL_CONTEXT, &sealed).ok()?;
    let (id, expires_at) = plain.split_at_checked(16)?;
    let expires_at = Time::from_micros(i64::from_be_bytes(expires_at.try_into().ok()?));
    (app.clock.now() < expires_at).then_some(AccountTokenId(Uuid::from_slice(id).ok()?))
}

fn build_cookie(app: &App, value: &str, max_age: Duration) -> Option<HeaderValue> {
    cookies::of_this_host(&app.settings, app.settings.name.pending_verification_cookie(), value, "/auth/email", max_age)
}
