//! What people type to find a user, among all or among members.

use crate::model::ids::UserId;
use crate::model::mail_domain;
use uuid::Uuid;

/// A whole id, or the beginning of the email address or the username, compared as login does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    Id(UserId),
    /// Users whose folded address or name begins with this.
    Prefix(String),
}

impl Search {
    /// Fewer characters would find too many users of a large instance.
    pub const MIN_CHARS: usize = 3;

    pub fn parse(text: &str) -> Self {
        let text = text.trim();
        Uuid::try_parse(text).map_or_else(|_| Self::Prefix(mail_domain::key(text)), |id| Self::Id(UserId(id)))
    }

    /// Whether a user with these folded names is found.
    pub fn finds(&self, id: UserId, email_key: &str, username_key: &str) -> bool {
        match self {
            Self::Id(wanted) => *wanted == id,
            Self::Prefix(prefix) => email_key.starts_with(prefix) || username_key.starts_with(prefix),
        }
    }
}
