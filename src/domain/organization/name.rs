//! Names of organizations, which strangers read in mails and on pages.

use crate::messages::Message;
use crate::model::visible::{is_invisible, visible_words};
use crate::store::OrganizationRow;
use icu_normalizer::ComposingNormalizerBorrowed;

/// A dot in the names of hosts (Unicode Technical Standard 46, 2.3).
const IDEOGRAPHIC_DOT: char = '。';
/// In characters.
const MAX_LEN: usize = 80;

/// Trims and validates a name; runs of white space become single spaces. The error is the message for the field
/// (docs/protocol.md 11.1).
pub(super) fn parse(text: &str) -> Result<String, Message> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(Message::new("name-missing"));
    }
    if name.chars().count() > MAX_LEN {
        return Err(Message::new("name-too-long").number("max", MAX_LEN));
    }
    if name.chars().any(is_invisible) {
        return Err(Message::new("name-invisible"));
    }
    if holds_address(&name) {
        return Err(Message::new("name-address"));
    }
    if !name.contains(char::is_alphanumeric) {
        return Err(Message::new("name-unreadable"));
    }
    Ok(name)
}

/// The name of the organization that is created with an account: the username, which has no white space and few signs,
/// but may look like a link or hold no letter or digit.
pub(in crate::domain) fn of_username(username: &str) -> String {
    let mut name = username.to_owned();
    while let Some(at) = name.to_ascii_lowercase().find("www.") {
        name.replace_range(at + 3..at + 4, "-");
    }
    if !name.contains(char::is_alphanumeric) {
        name.insert_str(0, "user");
    }
    name
}

/// Mail programs make links of such words: a stranger's text in a mail of the service must not lead anywhere. Compared as
/// programs and readers take them: full-width letters and dots as others (Unicode Standard Annex 15, NFKC).
fn holds_address(name: &str) -> bool {
    let name = ComposingNormalizerBorrowed::new_nfkc().normalize(name).to_lowercase().replace(IDEOGRAPHIC_DOT, ".");
    name.contains("://") || name.contains('@') || name.contains("www.")
}

/// What a person types to confirm the deletion: what can be seen of the name, or the id if that is nothing. Names older
/// than the rule of [`parse`] may have no visible character.
pub fn confirmation(organization: &OrganizationRow) -> String {
    match visible_words(&organization.name) {
        words if words.is_empty() => organization.id.to_string(),
        words => words,
    }
}

#[cfg(test)]
#[path = "name_tests.rs"]
mod tests;
