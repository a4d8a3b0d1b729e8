//! Names of organizations, which strangers read in mails and on pages.

use crate::domain::identity::visible_name;
use crate::messages::Message;
use crate::model::visible::visible_words;
use crate::store::OrganizationRow;

/// In characters.
const MAX_LEN: usize = 80;

/// Trims and validates a name (docs/reference/browser.md 11.1); the error is the message for the field.
pub(super) fn parse(text: &str) -> Result<String, Message> {
    visible_name::parse(text, MAX_LEN)
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
