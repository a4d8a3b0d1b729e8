//! Where a flow may end: never on a site that an attacker chose (contract.md 7; OWASP Unvalidated Redirects).

use crate::settings::{Origin, Settings};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Longer targets are ignored: they would not survive the way through headers and cookies.
const MAX_LENGTH: usize = 2048;

/// What must not stand raw in a `Location` header; everything that is already encoded stays as it is.
const LOCATION: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}');

/// The target, if it is a path on this origin or a URL of an allowed origin.
pub fn accept<'a>(settings: &Settings, target: &'a str) -> Option<&'a str> {
    is_safe(target, &settings.server.allowed_origins).then_some(target)
}

/// Whether a target is a path on this origin or a URL of one of `allowed`.
pub fn is_safe(target: &str, allowed: &[Origin]) -> bool {
    if target.len() > MAX_LENGTH || target.chars().any(|c| c.is_control() || c == '\\') {
        return false;
    }
    if target.starts_with('/') {
        return path_is_plain(target);
    }
    allowed
        .iter()
        .filter_map(|origin| strip_origin(target, origin))
        .any(|rest| rest.is_empty() || rest.starts_with(['?', '#']) || (rest.starts_with('/') && path_is_plain(rest)))
}

/// Scheme and host are compared without regard to case, as a browser does.
fn strip_origin<'a>(target: &'a str, origin: &Origin) -> Option<&'a str> {
    let (head, rest) = target.split_at_checked(origin.as_str().len())?;
    head.eq_ignore_ascii_case(origin.as_str()).then_some(rest)
}

/// Whether the path, before `?` and `#`, has no second slash at its start, and no slash, backslash or control
/// character in disguise.
fn path_is_plain(target: &str) -> bool {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    if path.starts_with("//") {
        return false;
    }
    let disguised = path.match_indices('%').any(|(at, _)| {
        let byte = path.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        byte.is_some_and(|byte| byte < 0x20 || byte == 0x7f || byte == b'/' || byte == b'\\')
    });
    // A doubly encoded or invalid sequence is the application's to judge; it never leaves this origin.
    !disguised && !percent_decode_str(path).any(|byte| byte == 0)
}

/// A path of this origin that brings the target along in its query; without it where the whole would be too long to be
/// a target itself, as it is on the way through another page.
pub fn carry(path: &str, target: Option<&str>) -> String {
    let Some(target) = target else { return path.to_owned() };
    let join = if path.contains('?') { '&' } else { '?' };
    let whole = format!("{path}{join}return_to={}", utf8_percent_encode(target, NON_ALPHANUMERIC));
    if whole.len() <= MAX_LENGTH { whole } else { path.to_owned() }
}

/// The target as it stands in a `Location` header: characters outside ASCII encoded.
pub fn location(target: &str) -> String {
    utf8_percent_encode(target, LOCATION).to_string()
}

#[cfg(test)]
#[path = "return_to_tests.rs"]
mod tests;
