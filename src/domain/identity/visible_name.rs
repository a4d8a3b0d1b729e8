//! Names that strangers read in mails and on pages: of organizations, and what users are called.

use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::visible::{has_stray_marks, is_invisible};
use crate::store::{StoreError, Tx, UserRow};
use icu_normalizer::ComposingNormalizerBorrowed;

/// A dot in the names of hosts (Unicode Technical Standard 46, 2.3).
const IDEOGRAPHIC_DOT: char = '。';
/// What begins a path, a query, a fragment or a port, and what looks like it: the fraction slash, the division slash and
/// two big ones.
const AFTER_HOST: [char; 9] = ['/', '\\', '?', '#', ':', '\u{2044}', '\u{2215}', '\u{29f5}', '\u{29f8}'];
/// In characters.
const MAX_USER_NAME_LEN: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisplayName(String);

impl DisplayName {
    /// Validates a name; the error is the message for the field.
    pub fn parse(text: &str) -> Result<Self, Message> {
        parse(text, MAX_USER_NAME_LEN).map(Self)
    }

    /// As [`parse`](Self::parse), where white space alone is no name.
    pub fn parse_optional(text: &str) -> Result<Option<Self>, Message> {
        if text.trim().is_empty() { Ok(None) } else { Self::parse(text).map(Some) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Sets the display name of an account that this transaction has locked. Returns `false` if it is that already.
pub(in crate::domain) async fn set(
    tx: &mut Tx,
    stored: &UserRow,
    name: Option<&DisplayName>,
) -> Result<bool, StoreError> {
    let name = name.map(DisplayName::as_str);
    if name == stored.name.as_deref() {
        return Ok(false);
    }
    tx.user_set_name(stored.id, name).await?;
    tx.record_account(stored.id, AccountChange::NameChanged(name)).await?;
    Ok(true)
}

/// A text without white space around it; runs of white space become single spaces.
pub fn single_spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Trims and validates a name of at most `max` characters; runs of white space become single spaces. The error is the
/// message for the field (docs/reference/browser.md 11.1).
pub fn parse(text: &str, max: usize) -> Result<String, Message> {
    let name = single_spaced(text);
    if name.is_empty() {
        return Err(Message::new("name-missing"));
    }
    if name.chars().count() > max {
        return Err(Message::new("name-too-long").number("max", max));
    }
    if name.chars().any(is_invisible) {
        return Err(Message::new("name-invisible"));
    }
    if has_stray_marks(&name) {
        return Err(Message::new("name-marks"));
    }
    if holds_address(&name) {
        return Err(Message::new("name-address"));
    }
    if !name.contains(char::is_alphanumeric) {
        return Err(Message::new("name-unreadable"));
    }
    Ok(name)
}

/// Mail programs make links of such words: a stranger's text in a mail of the service must not lead anywhere. Compared
/// as programs and readers take them: full-width letters and dots as others (Unicode Standard Annex 15, NFKC).
fn holds_address(name: &str) -> bool {
    let name = ComposingNormalizerBorrowed::new_nfkc().normalize(name).to_lowercase().replace(IDEOGRAPHIC_DOT, ".");
    name.contains("://")
        || name.contains(":\\\\")
        || name.contains('@')
        || name.contains("www.")
        || name.split(' ').any(leads_into_host)
}

/// Whether a word goes on after a dotted name, as in `example.com/login`: a path, a query, a fragment or a port.
fn leads_into_host(word: &str) -> bool {
    let parts = || word.char_indices().filter(|(_, c)| *c == '.').map(|(dot, _)| &word[dot + 1..]);
    parts().any(|rest| rest.starts_with(char::is_alphanumeric) && rest.contains(AFTER_HOST))
}

#[cfg(test)]
#[path = "visible_name_tests.rs"]
mod tests;
