//! URLs of the operator's own pages, to which ours link.

use super::origin::Origin;
use super::problem::InvalidValue;

/// Longer URLs are refused: they stand in every page and email.
const MAX_LENGTH: usize = 2000;

pub(super) fn web_url(text: &str) -> Result<String, InvalidValue> {
    let allowed = || "an http or https URL without user name and password, such as https://www.example.com/terms";
    if is_plain(text) && Origin::of_url(text).is_some() { Ok(text.to_owned()) } else { Err(allowed().into()) }
}

pub(super) fn support_url(text: &str) -> Result<String, InvalidValue> {
    let is_address = |rest: &str| rest.split_once('@').is_some_and(|(name, host)| !name.is_empty() && !host.is_empty());
    let is_mailto = text
        .split_at_checked("mailto:".len())
        .is_some_and(|(scheme, rest)| scheme.eq_ignore_ascii_case("mailto:") && is_address(rest));
    if is_plain(text) && is_mailto {
        return Ok(text.to_owned());
    }
    web_url(text).map_err(|_| {
        InvalidValue::from(
            "an http, https or mailto URL, such as https://www.example.com/help or mailto:help@example.com",
        )
    })
}

/// Whether every character may stand in a URL (RFC 3986): no space, control character, quote or angle bracket.
fn is_plain(text: &str) -> bool {
    text.len() <= MAX_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte))
}

#[cfg(test)]
#[path = "links_tests.rs"]
mod tests;
