//! Lifetimes of sessions and tokens, and the rotation of refresh tokens.

use super::problem::Refusal;
use super::reader::{Read, Reader};
use super::spec::{DefaultValue, Exposure, Section, Spec};
use super::{duration, parse};
use crate::model::roles::Roles;
use std::time::Duration;

/// Lifetimes, rotation, audiences.
#[derive(Debug)]
pub struct Sessions {
    /// Lifetime of an access token.
    pub access_ttl: Duration,
    /// Lifetime of a refresh token, never past the session's end.
    pub refresh_ttl: Duration,
    /// Absolute lifetime of a session.
    pub session_ttl: Duration,
    /// When a refresh replaces the refresh token.
    pub rotation: Rotation,
    /// How long after a replacement the replaced token is still answered (contract.md 5).
    pub grace: Duration,
    /// Allowed values of `audience`; never empty. Log-in issues the first.
    pub audiences: Vec<String>,
}

/// When a refresh replaces the refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rotation {
    /// At every refresh.
    Always,
    /// Never.
    Never,
    /// Once the token has this age.
    After(Duration),
}

/// The audience whose tokens are for operators (contract.md 2).
const OPERATORS: &str = "admin";

impl Sessions {
    /// The audience of the tokens that log-in, sign-up and page renewal issue.
    pub fn first_audience(&self) -> &str {
        self.audiences.first().map_or("", String::as_str)
    }

    /// Whether a refresh may ask for the audience.
    pub fn knows(&self, audience: &str) -> bool {
        self.audiences.iter().any(|known| known == audience)
    }

    /// Whether a user with these platform roles may have tokens of the audience.
    pub fn permits(&self, audience: &str, roles: Roles) -> bool {
        audience != OPERATORS || !roles.is_empty()
    }
}

static ACCESS_TTL: Spec = Spec {
    suffix: "ACCESS_TTL",
    kind: "duration",
    default: DefaultValue::Fixed("10m"),
    exposure: Exposure::Public,
    meaning: "Lifetime of an access token.",
};

static REFRESH_TTL: Spec = Spec {
    suffix: "REFRESH_TTL",
    kind: "duration",
    default: DefaultValue::Fixed("336h"),
    exposure: Exposure::Public,
    meaning: "Lifetime of a refresh token: so long may a user stay away. Never past the session's end.",
};

static SESSION_TTL: Spec = Spec {
    suffix: "SESSION_TTL",
    kind: "duration",
    default: DefaultValue::Fixed("1440h"),
    exposure: Exposure::Public,
    meaning: "Absolute lifetime of a session, after which the user logs in again.",
};

static REFRESH_ROTATION: Spec = Spec {
    suffix: "REFRESH_ROTATION",
    kind: "always, never or duration",
    default: DefaultValue::Fixed("always"),
    exposure: Exposure::Public,
    meaning: "When a refresh replaces the refresh token: always, never, or once it has this age.",
};

static REFRESH_GRACE: Spec = Spec {
    suffix: "REFRESH_GRACE",
    kind: "duration",
    default: DefaultValue::Fixed("30s"),
    exposure: Exposure::Public,
    meaning: "How long a replaced refresh token still answers, for parallel requests and lost answers. Longer than a \
        usual backend's request limit.",
};

static AUDIENCES: Spec = Spec {
    suffix: "AUDIENCES",
    kind: "list of names",
    default: DefaultValue::Fixed("app,admin"),
    exposure: Exposure::Public,
    meaning: "Audiences that a refresh may ask for. Log-in issues the first; admin needs a platform role.",
};

pub(super) static SECTION: Section = Section {
    title: "Sessions",
    settings: &[&ACCESS_TTL, &REFRESH_TTL, &SESSION_TTL, &REFRESH_ROTATION, &REFRESH_GRACE, &AUDIENCES],
};

pub(super) fn read(reader: &mut Reader<'_>) -> Read<Sessions> {
    let access_ttl = reader.required(&ACCESS_TTL, duration::parse);
    let refresh_ttl = reader.required(&REFRESH_TTL, duration::parse);
    let session_ttl = reader.required(&SESSION_TTL, duration::parse);
    let rotation = reader.required(&REFRESH_ROTATION, rotation);
    let grace = reader.required(&REFRESH_GRACE, duration::parse);
    let audiences = reader.required(&AUDIENCES, audiences);
    Ok(Sessions {
        access_ttl: access_ttl?,
        refresh_ttl: refresh_ttl?,
        session_ttl: session_ttl?,
        rotation: rotation?,
        grace: grace?,
        audiences: audiences?,
    })
}

fn rotation(text: &str) -> Result<Rotation, Refusal> {
    match text {
        "always" => Ok(Rotation::Always),
        "never" => Ok(Rotation::Never),
        _ => duration::parse(text).map(Rotation::After).map_err(|error| format!("always, never, or {error}").into()),
    }
}

fn audiences(text: &str) -> Result<Vec<String>, Refusal> {
    let refusal = || "a comma-separated list of different names, each of at most 128 visible ASCII characters".into();
    let names: Vec<_> = parse::items(text).map(str::to_owned).collect();
    let fits = |name: &String| (1..=128).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic());
    if !names.iter().all(fits) || parse::has_duplicates(&names) {
        return Err(refusal());
    }
    Ok(names)
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
