//! Redaction of values for display.

use super::spec::Exposure;
use std::borrow::Cow;

/// Returns the part of a value that may be displayed, or `None` for a secret.
pub(super) fn redact(exposure: Exposure, value: &str) -> Option<Cow<'_, str>> {
    match exposure {
        Exposure::Public => Some(Cow::Borrowed(value)),
        Exposure::Url => redact_url(value),
        Exposure::Address => (!may_hold_password(value)).then_some(Cow::Borrowed(value)),
        Exposure::Secret => None,
    }
}

/// Removes username, password and query from a URL, even a malformed one: everything before the last `@` is masked,
/// and a possible password without `@` hides the whole URL.
fn redact_url(url: &str) -> Option<Cow<'_, str>> {
    if url.starts_with("sqlite:") {
        return Some(Cow::Borrowed(url));
    }
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
        return None;
    }
    let (mask, rest) = rest.rsplit_once('@').map_or(("", rest), |(_, rest)| ("***@", rest));
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    if has_odd_port(rest) {
        return None;
    }
    Some(Cow::Owned(format!("{scheme}://{mask}{}{}", &rest[..end], if end < rest.len() { "?***" } else { "" })))
}

/// Whether one of the addresses in a list may hold a password, even a malformed one: an `@` behind a colon, or a port
/// that is no number.
fn may_hold_password(list: &str) -> bool {
    let list = list.strip_prefix("mailto:").unwrap_or(list);
    let has_user_info = list.rsplit_once('@').is_some_and(|(before, _)| before.contains(':'));
    has_user_info || list.split(',').filter_map(|item| item.split_once("://")).any(|(_, rest)| has_odd_port(rest))
}

/// Whether a password without `@` may stand in the place of the port; `rest` is a URL behind its scheme.
fn has_odd_port(rest: &str) -> bool {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let port = authority.rsplit(']').next().and_then(|tail| tail.split_once(':'));
    port.is_some_and(|(_, port)| !port.trim_end().chars().all(|c| c.is_ascii_digit()))
}

#[cfg(test)]
#[path = "redact_tests.rs"]
mod tests;
