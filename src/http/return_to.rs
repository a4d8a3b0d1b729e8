//! Validates redirect targets, against open redirects (docs/reference/browser.md 9; OWASP Unvalidated Redirects and
//! Forwards).

use crate::context::App;
use crate::settings::{Origin, Settings};
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

pub const FIELD: &str = "return_to";

/// Longer targets might not fit into headers and cookies.
const MAX_BYTES: usize = 2048;

/// The characters to encode in a `Location` header; what is already encoded stays unchanged.
const LOCATION: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}');

/// Returns the target if it is a path on this origin or a URL of an origin that users may be sent back to.
pub fn accept<'a>(settings: &Settings, target: &'a str) -> Option<&'a str> {
    is_safe(target, settings.server.return_targets()).then_some(target)
}

/// Tells the operator of an origin that people are not sent back to, at most once an hour: any link can name one.
pub fn log_refused(app: &App, target: &str) {
    let server = &app.settings.server;
    let Some(origin) = Origin::of_url(target).filter(|origin| server.return_targets().all(|known| known != origin))
    else {
        return;
    };
    if app.rate_limiter.is_target_warning_due(origin.as_str()) {
        let variable = app.settings.name.variable("RETURN_ORIGINS");
        tracing::warn!(
            origin = origin.as_str(),
            "nobody is sent back to this origin of a return_to; {variable} permits it, and --app of doorward dev"
        );
    }
}

/// Whether a target is a path on this origin or a URL of one of `allowed`.
pub fn is_safe<'a>(target: &str, allowed: impl IntoIterator<Item = &'a Origin>) -> bool {
    if target.len() > MAX_BYTES || target.chars().any(|c| c.is_control() || c == '\\') {
        return false;
    }
    if target.starts_with('/') {
        return is_plain_path(target);
    }
    allowed
        .into_iter()
        .filter_map(|origin| strip_origin(target, origin))
        .any(|rest| rest.is_empty() || rest.starts_with(['?', '#']) || (rest.starts_with('/') && is_plain_path(rest)))
}

/// Ignores the case of scheme and host, as browsers do.
fn strip_origin<'a>(target: &'a str, origin: &Origin) -> Option<&'a str> {
    let (head, rest) = target.split_at_checked(origin.as_str().len())?;
    head.eq_ignore_ascii_case(origin.as_str()).then_some(rest)
}

/// Whether the path, before `?` and `#`, does not begin with `//` and has no percent-encoded slash, backslash or
/// control character.
fn is_plain_path(target: &str) -> bool {
    let path = target.split(['?', '#']).next().unwrap_or_default();
    if path.starts_with("//") {
        return false;
    }
    let has_encoded_separator = path.match_indices('%').any(|(at, _)| {
        let byte = path.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok());
        byte.is_some_and(|byte| byte < 0x20 || byte == 0x7f || byte == b'/' || byte == b'\\')
    });
    // Doubly encoded and invalid sequences are left to the application; they cannot leave this origin.
    !has_encoded_separator && !percent_decode_str(path).any(|byte| byte == 0)
}

/// Splits a query before a target that stands there as it is: a value that begins with `/` and has a `?` before the
/// next `&` is taken undecoded, to the query's end. So proxies may append the address that was asked for, which they
/// cannot encode.
pub fn split_literal(query: &str) -> (&str, Option<&str>) {
    let mut start = 0;
    for field in query.split('&') {
        let is_literal = |target: &str| target.starts_with('/') && target.contains('?');
        if field.strip_prefix("return_to=").is_some_and(is_literal) {
            let (own, target) = query.split_at(start);
            return (own.strip_suffix('&').unwrap_or(own), target.strip_prefix("return_to="));
        }
        start += field.len() + 1;
    }
    (query, None)
}

/// Appends the target to the query of a path on this origin; omits it if the result would exceed `MAX_BYTES`, as the
/// result may itself become a target.
pub fn append(path: &str, target: Option<&str>) -> String {
    let Some(target) = target else { return path.to_owned() };
    let whole = with_query(path, "return_to", target);
    if whole.len() <= MAX_BYTES { whole } else { path.to_owned() }
}

/// A path with one more field in its query.
pub fn with_query(path: &str, name: &str, value: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))
}

/// Percent-encodes a target for a `Location` header.
pub fn encode_location(target: &str) -> String {
    utf8_percent_encode(target, LOCATION).to_string()
}

#[cfg(test)]
#[path = "return_to_tests.rs"]
mod tests;
