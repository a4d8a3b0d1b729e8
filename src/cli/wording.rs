//! What the command line says where a sentence speaks to a person in front of a page: of its fields, its buttons, or what
//! to do next there.

use crate::messages::Message;

/// Pairs of a message's id and the command line's own words.
const INSTEAD: [(&str, &str); 10] = [
    ("admin-last-administrator", "this is the last active administrator; make someone else an administrator first"),
    ("email-missing", "the email address is missing"),
    ("email-taken", "there is an account with this email address already"),
    ("username-is-id", "a username cannot have the form of an id"),
    ("username-taken", "this username is taken"),
    ("name-missing", "the name is missing"),
    ("invite-invited-already", "this address has an invitation already: `doorward invitation resend` makes a new link"),
    ("refused-no-teams", "there are no team organizations: every organization is personal"),
    ("refused-no-invitations", "there are no invitations: every organization is personal"),
    ("refused-too-many-pending", "100 invitations of this organization are pending; revoke some of them first"),
];

/// A message in the words of the command line.
pub(super) fn sentence(message: &Message) -> String {
    let instead = INSTEAD.iter().find(|(id, _)| *id == message.id());
    instead.map_or_else(|| message.english(), |(_, words)| (*words).to_owned())
}

pub(super) fn shell_quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
#[path = "wording_tests.rs"]
mod tests;
