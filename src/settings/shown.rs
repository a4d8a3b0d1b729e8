//! What of a value may be shown.

use super::spec::Exposure;
use std::borrow::Cow;

/// The part of a value that may be shown, or `None` if nothing of it may.
pub(super) fn shown(exposure: Exposure, value: &str) -> Option<Cow<'_, str>> {
    match exposure {
        Exposure::Public => Some(Cow::Borrowed(value)),
        Exposure::Url => shown_url(value),
        Exposure::Secret => None,
    }
}

/// A URL without user name, password and query. Built for URLs with mistakes, too: whatever stands before the last `@`
/// goes, and what could be a password that lost its `@` hides the whole.
fn shown_url(url: &str) -> Option<Cow<'_, str>> {
    if url.starts_with("sqlite:") {
        return Some(Cow::Borrowed(url));
    }
    let (scheme, rest) = url.split_once("://")?;
    if !scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
        return None;
    }
    let (mask, rest) = rest.rsplit_once('@').map_or(("", rest), |(_, rest)| ("***@", rest));
    let end = rest.find(['?', '#']).unwrap_or(rest.len());
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let port = authority.rsplit(']').next().and_then(|tail| tail.split_once(':'));
    if port.is_some_and(|(_, port)| !port.chars().all(|c| c.is_ascii_digit())) {
        return None;
    }
    Some(Cow::Owned(format!("{scheme}://{mask}{}{}", &rest[..end], if end < rest.len() { "?***" } else { "" })))
}

#[cfg(test)]
#[path = "shown_tests.rs"]
mod tests;
