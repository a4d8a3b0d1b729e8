//! Lifetimes of sessions and tokens, and the rotation of refresh tokens.

use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::{Values, section};
use super::{duration, parse};
use crate::model::roles::Roles;
use std::time::Duration;

#[derive(Debug)]
pub struct SessionSettings {
    pub access_ttl: Duration,
    /// Lifetime of a refresh token, never past the session's end.
    pub refresh_ttl: Duration,
    /// Absolute lifetime of a session.
    pub session_ttl: Duration,
    /// When a refresh replaces the refresh token.
    pub rotation: Rotation,
    /// Grace period in which a replaced refresh token is still accepted (`docs/reference/api-v1.md` 7.4).
    pub grace: Duration,
    /// Allowed values of `audience`; never empty. Login issues the first.
    pub audiences: Vec<String>,
}

/// When a refresh replaces the refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// At every refresh.
    Always,
    Never,
    /// Once the token has reached this age.
    After(Duration),
}

/// The audience that needs a platform role (`docs/reference/api-v1.md` 6.2).
const ADMIN_AUDIENCE: &str = "admin";

impl SessionSettings {
    /// The audience of tokens issued at login, signup and page renewal.
    pub fn default_audience(&self) -> &str {
        self.audiences.first().map_or("", String::as_str)
    }

    pub fn has_audience(&self, audience: &str) -> bool {
        self.audiences.iter().any(|known| known == audience)
    }

    /// Whether a user with these platform roles may get tokens for the audience.
    pub fn permits_audience(&self, audience: &str, roles: Roles) -> bool {
        audience != ADMIN_AUDIENCE || !roles.is_empty()
    }
}

section! { "Sessions";
    ACCESS_TTL: "duration", Fixed("10m"), Public,
        "Lifetime of an access token.";
    REFRESH_TTL: "duration", Fixed("336h"), Public,
        "Lifetime of a refresh token: how long a user can be inactive before logging in again. Never past the \
        session's end.";
    SESSION_TTL: "duration", Fixed("1440h"), Public,
        "Absolute lifetime of a session, after which the user logs in again.";
    REFRESH_ROTATION: "always, never or duration", Fixed("always"), Public,
        "When a refresh replaces the refresh token: always, never, or once it has this age.";
    REFRESH_GRACE: "duration", Fixed("30s"), Public,
        "How long a replaced refresh token still works, for parallel requests and lost responses. Set it longer than \
        your backend's request timeout.";
    AUDIENCES: "list of names", Fixed("app,admin"), Public,
        "Audiences that a refresh may ask for. Login issues the first; admin needs a platform role.";
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<SessionSettings> {
    let access_ttl = reader.required(&ACCESS_TTL, duration::parse);
    let refresh_ttl = reader.required(&REFRESH_TTL, duration::parse);
    let session_ttl = reader.required(&SESSION_TTL, duration::parse);
    let rotation = reader.required(&REFRESH_ROTATION, rotation);
    let grace = reader.required(&REFRESH_GRACE, duration::parse);
    let audiences = reader.required(&AUDIENCES, audiences);
    Ok(SessionSettings {
        access_ttl: access_ttl?,
        refresh_ttl: refresh_ttl?,
        session_ttl: session_ttl?,
        rotation: rotation?,
        grace: grace?,
        audiences: audiences?,
    })
}

/// The lifetime of a refresh token, if it is valid, for what must be less.
pub(super) fn refresh_ttl(values: &Values<'_>) -> Option<Duration> {
    duration::parse(&values.effective(&REFRESH_TTL)?).ok()
}

fn rotation(text: &str) -> Result<Rotation, InvalidValue> {
    match text {
        "always" => Ok(Rotation::Always),
        "never" => Ok(Rotation::Never),
        _ => duration::parse(text).map(Rotation::After).map_err(|error| format!("always, never, or {error}").into()),
    }
}

fn audiences(text: &str) -> Result<Vec<String>, InvalidValue> {
    let refusal = || "a comma-separated list of different names, each of at most 128 visible ASCII characters".into();
    let names: Vec<_> = parse::items(text).map(str::to_owned).collect();
    let is_valid = |name: &String| (1..=128).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
    if !names.iter().all(is_valid) || parse::has_duplicates(&names) {
        return Err(refusal());
    }
    Ok(names)
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
