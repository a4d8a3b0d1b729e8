//! What a provider says of a person and of their login there.

use super::claims::{PersonClaims, SKEW, text, time};
use super::email_trust::StatedAddress;
use crate::model::provider::{Provider, ProviderMfa};
use crate::model::time::Time;
use serde::Deserialize;
use serde_json::Value;

/// Longer names are none.
const MAX_NAME_BYTES: usize = 1024;
/// A longer field of Apple's is not read.
const MAX_USER_FIELD_BYTES: usize = 8 * 1024;

/// What a provider says of a person, checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderProfile {
    /// Whose subject it is. For Microsoft with its tenant, for GitHub its origin.
    pub issuer: String,
    /// The person, uniquely with the issuer.
    pub subject: String,
    pub email: Option<StatedAddress>,
    /// What they are called there; whether that may be a display name is for who takes it.
    pub name: Option<String>,
    /// Whether they showed a second factor there, and the record trusts that.
    pub second_factor: bool,
    /// When they last logged in there, if that was stated; never in the future.
    pub authenticated_at: Option<Time>,
}

/// Methods of login by kind (RFC 8176, 2): what one knows, has, is.
const METHODS: [&[&str]; 3] = [
    &["pwd", "pin", "kba"],
    &["otp", "hwk", "swk", "sc", "sms", "tel", "pop"],
    &["face", "fpt", "iris", "retina", "vbm"],
];

/// Whether a login there counts as having shown a second factor: only where the operator trusts that.
pub(super) fn second_factor(provider: &Provider, claims: &PersonClaims) -> bool {
    provider.mfa == ProviderMfa::Trust && shows_second_factor(claims)
}

/// Whether `amr` has `mfa`, or methods of two kinds.
fn shows_second_factor(claims: &PersonClaims) -> bool {
    let Some(Value::Array(methods)) = claims.get("amr") else { return false };
    let has = |name: &str| methods.iter().any(|method| method.as_str() == Some(name));
    has("mfa") || METHODS.iter().filter(|kind| kind.iter().any(|name| has(name))).count() >= 2
}

/// When the person last logged in there; unreadable and future times are ignored, but for the difference of the clocks.
pub(super) fn authenticated_at(claims: &PersonClaims, now: Time) -> Option<Time> {
    time(claims, "auth_time").filter(|at| *at >= Time::from_micros(0) && *at <= now + SKEW).map(|at| at.min(now))
}

pub(super) fn name(claims: &PersonClaims) -> Option<String> {
    usable(text(claims, "name")?)
}

/// What the person is called by the field `user`, which Apple sends at the first login only, and which nothing signs.
pub(super) fn name_of_apple(field: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct User {
        name: Name,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Name {
        first_name: Option<String>,
        last_name: Option<String>,
    }
    if field.len() > MAX_USER_FIELD_BYTES {
        return None;
    }
    let User { name } = serde_json::from_str(field).ok()?;
    let parts = [name.first_name.unwrap_or_default(), name.last_name.unwrap_or_default()];
    usable(&parts.join(" "))
}

/// Without the spaces around it. A control character is no part of a name, and PostgreSQL takes no U+0000.
fn usable(name: &str) -> Option<String> {
    let name = name.trim();
    let is_usable = !name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.chars().any(char::is_control);
    is_usable.then(|| name.to_owned())
}

#[cfg(test)]
#[path = "profile_tests.rs"]
mod tests;
