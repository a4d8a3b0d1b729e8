//! The fields that have one rule for every kind of provider.

use super::field_error::ProviderFieldError;
use crate::model::provider::ProviderMfa;
use crate::model::visible::visible_words;

/// In characters; a button is one line at 320 px.
const MAX_LABEL_LEN: usize = 40;
const MAX_CLIENT_ID_LEN: usize = 255;
const ON: &str = "on";
const OFF: &str = "off";

/// The word, if it is one of these.
pub(super) fn one_of<'a>(field: &'static str, words: &[&str], text: &'a str) -> Result<&'a str, ProviderFieldError> {
    if words.contains(&text) {
        return Ok(text);
    }
    let (last, others) = words.split_last().unwrap_or((&"", &[]));
    Err(ProviderFieldError::new(field, format!("is {} or {last}", others.join(", "))))
}

/// Client id of this service at the provider (RFC 6749, A.1), here without spaces.
pub(super) fn client_id(given: Option<&str>) -> Result<String, ProviderFieldError> {
    let refused = |sentence: &str| ProviderFieldError::new("client_id", sentence);
    let text = given.ok_or_else(|| refused("is required"))?;
    let is_plain = (1..=MAX_CLIENT_ID_LEN).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_plain { Ok(text.to_owned()) } else { Err(refused("has 1 to 255 characters of ASCII, none of them a space")) }
}

/// The text of the button after "Continue with".
pub(super) fn label(text: &str) -> Result<String, ProviderFieldError> {
    let is_plain = (1..=MAX_LABEL_LEN).contains(&text.chars().count()) && visible_words(text) == text;
    if is_plain {
        return Ok(text.to_owned());
    }
    Err(ProviderFieldError::new("label", "has 1 to 40 visible characters, and single spaces between words"))
}

pub(super) fn mfa(given: Option<&str>) -> Result<ProviderMfa, ProviderFieldError> {
    let text = one_of("mfa", &ProviderMfa::ALL.map(ProviderMfa::as_str), given.unwrap_or("ask"))?;
    Ok(ProviderMfa::parse(text).unwrap_or(ProviderMfa::Ask))
}

pub(super) fn signup(given: Option<&str>) -> Result<bool, ProviderFieldError> {
    one_of("signup", &[ON, OFF], given.unwrap_or(ON)).map(|text| text == ON)
}

/// The word for whether people without an account may come.
pub(super) const fn on_or_off(signup: bool) -> &'static str {
    if signup { ON } else { OFF }
}
