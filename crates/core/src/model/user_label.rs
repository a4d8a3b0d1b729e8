//! How a user is called, wherever pages and emails name one.

use super::placeholder_email::is_placeholder;

/// What names a user. [`called`](Self::called) says who it is, [`account`](Self::account) which account.
#[derive(Clone, Copy, Debug)]
pub struct UserLabel<'a> {
    /// The display name, which its holder chose; several people may have the same.
    pub name: Option<&'a str>,
    /// The email address; `None` for an account without one, and where it is not told.
    pub email: Option<&'a str>,
    pub username: &'a str,
}

impl<'a> UserLabel<'a> {
    pub fn new(name: Option<&'a str>, email: &'a str, username: &'a str) -> Self {
        Self { name, email: Some(email).filter(|email| !is_placeholder(email)), username }
    }

    /// The display name, else what the account is known by.
    pub fn called(self) -> &'a str {
        self.name.unwrap_or(self.account())
    }

    /// The email address, or the username of an account without one: no two accounts have the same.
    pub fn account(self) -> &'a str {
        self.email.unwrap_or(self.username)
    }

    /// Whether the person is called by the email address.
    pub fn is_called_by_address(self) -> bool {
        self.name.is_none() && self.email.is_some()
    }
}
