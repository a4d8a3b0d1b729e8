//! The identifiers of an account: its email address and its username.

use crate::messages::Message;
use crate::model::placeholder_email::is_placeholder;
use std::fmt::Write;

/// RFC 5321, 4.5.3.1.3: a path has at most 256 characters, two of them the angle brackets.
const MAX_EMAIL_LEN: usize = 254;
const MIN_USERNAME_LEN: usize = 2;
const MAX_USERNAME_LEN: usize = 64;

/// A syntactically valid email address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Trims and validates an address; the error is the message for the field.
    ///
    /// Only obvious typing mistakes are rejected; whether the address exists is for a verification email to show.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Message::new("email-missing"));
        }
        if text.chars().count() > MAX_EMAIL_LEN {
            return Err(Message::new("email-too-long").number("max", MAX_EMAIL_LEN));
        }
        let valid =
            text.rsplit_once('@').is_some_and(|(local, domain)| is_valid_local(local) && is_valid_domain(domain));
        if valid && !is_placeholder(text) { Ok(Self(text.to_owned())) } else { Err(Message::new("email-invalid")) }
    }

    /// Wraps a stored address, which was validated before.
    pub(in crate::domain) fn from_stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The address as its owner wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which addresses are compared.
    pub fn key(&self) -> String {
        fold(&self.0)
    }

    /// The part before the `@`.
    pub fn local_part(&self) -> &str {
        self.0.rsplit_once('@').map_or(&self.0, |(local, _)| local)
    }
}

fn is_valid_local(local: &str) -> bool {
    // Beyond ASCII only letters and digits: invisible characters and those that change the text direction make one
    // address look like another (RFC 6531 permits them; Unicode Technical Report 36, 2 explains the risk).
    let permitted = |c: char| {
        if c.is_ascii() { c.is_ascii_graphic() && !"@<>()[],;:\\\"".contains(c) } else { c.is_alphanumeric() }
    };
    !local.is_empty() && local.chars().all(permitted)
}

fn is_valid_domain(domain: &str) -> bool {
    domain.split('.').all(|label| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    })
}

/// The display name of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username(String);

impl Username {
    /// Trims and validates a name; the error is the message for the field.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let text = text.trim();
        let length = text.chars().count();
        if !text.chars().all(is_username_character) {
            return Err(Message::new("username-characters"));
        }
        if !(MIN_USERNAME_LEN..=MAX_USERNAME_LEN).contains(&length) {
            return Err(Message::new("username-length")
                .number("min", MIN_USERNAME_LEN)
                .number("max", MAX_USERNAME_LEN));
        }
        Ok(Self(text.to_owned()))
    }

    /// Derives a name from an email address: cleaned, padded, and with `number` appended from 2 on.
    pub fn derived(email: &EmailAddress, number: u32) -> Self {
        let mut name: String = email.local_part().chars().filter(|c| is_username_character(*c)).collect();
        if name.len() < MIN_USERNAME_LEN {
            name.insert_str(0, "user");
        }
        let suffix = if number > 1 { number.to_string() } else { String::new() };
        name.truncate(MAX_USERNAME_LEN - suffix.len());
        // Writing to a string cannot fail.
        let _ = write!(name, "{suffix}");
        Self(name)
    }

    /// The name as its owner wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which names are compared.
    pub fn key(&self) -> String {
        fold(&self.0)
    }
}

fn is_username_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}

/// The form in which names and addresses are compared.
pub(in crate::domain) fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}
