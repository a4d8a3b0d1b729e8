//! The operator's own pages, to which ours link.

use super::origin::Origin;
use super::problem::InvalidValue;
use super::reader::{Read, Reader};
use super::spec::{DefaultValue, Exposure, Spec};
use crate::brand::Links;

/// Longer URLs are refused: they stand in every page and email.
const MAX_LENGTH: usize = 2000;

pub(super) static APP_URL: Spec = Spec {
    suffix: "APP_URL",
    kind: "http or https URL",
    default: DefaultValue::Unset("no link"),
    exposure: Exposure::Address,
    meaning: "Your application. Pages link to it as \"Back to …\", with the name of SVC_BRAND_NAME, and it is the default \
        of SVC_DEFAULT_RETURN_TO where its origin is that of SVC_BASE_URL or one in SVC_ALLOWED_ORIGINS or \
        SVC_RETURN_ORIGINS.",
};

pub(super) static TERMS_URL: Spec = Spec {
    suffix: "TERMS_URL",
    kind: "http or https URL",
    default: DefaultValue::Unset("no link"),
    exposure: Exposure::Address,
    meaning: "Your terms of service: linked under the signup form and in the foot of every page.",
};

pub(super) static PRIVACY_URL: Spec = Spec {
    suffix: "PRIVACY_URL",
    kind: "http or https URL",
    default: DefaultValue::Unset("no link"),
    exposure: Exposure::Address,
    meaning: "Your privacy policy: linked under the signup form and in the foot of every page.",
};

pub(super) static SUPPORT_URL: Spec = Spec {
    suffix: "SUPPORT_URL",
    kind: "http, https or mailto URL",
    default: DefaultValue::Unset("no link"),
    exposure: Exposure::Address,
    meaning: "Where people get help: linked on error pages and in the foot of every page. Such as \
        mailto:help@example.com.",
};

pub(super) fn read(reader: &mut Reader<'_>) -> Read<Links> {
    let app = reader.optional(&APP_URL, web_url);
    let terms = reader.optional(&TERMS_URL, web_url);
    let privacy = reader.optional(&PRIVACY_URL, web_url);
    let support = reader.optional(&SUPPORT_URL, support_url);
    Ok(Links { app: app?, terms: terms?, privacy: privacy?, support: support? })
}

pub(super) fn web_url(text: &str) -> Result<String, InvalidValue> {
    let allowed = || "an http or https URL without user name and password, such as https://www.example.com/terms";
    if is_plain(text) && Origin::of_url(text).is_some() { Ok(text.to_owned()) } else { Err(allowed().into()) }
}

fn support_url(text: &str) -> Result<String, InvalidValue> {
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
