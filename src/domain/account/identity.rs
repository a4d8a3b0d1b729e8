//! What an account is known by: its e-mail address and its username.

use crate::messages::Message;
use std::fmt::Write;

/// RFC 5321, 4.5.3.1.3: a path has at most 256 characters, two of them the angle brackets.
const EMAIL_MAX: usize = 254;
const USERNAME_MIN: usize = 2;
const USERNAME_MAX: usize = 64;

/// An e-mail address that a person could have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Trims and checks an address; the error is what to say beside the field.
    ///
    /// The form is checked only as far as a typing mistake shows; whether the address exists is shown by a mail.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let text = text.trim();
        if text.is_empty() {
            return Err(Message::new("email-missing"));
        }
        if text.chars().count() > EMAIL_MAX {
            return Err(Message::new("email-too-long").number("max", EMAIL_MAX));
        }
        let valid = text.rsplit_once('@').is_some_and(|(local, domain)| valid_local(local) && valid_domain(domain));
        if valid { Ok(Self(text.to_owned())) } else { Err(Message::new("email-invalid")) }
    }

    /// An address that was accepted before, as it is stored.
    pub(in crate::domain) fn stored(text: &str) -> Self {
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

fn valid_local(local: &str) -> bool {
    // Beyond ASCII only letters and digits: what is invisible or turns the writing around makes one address look like
    // another (RFC 6531 permits them, Unicode Technical Report 36, 2 tells why not to).
    let permitted = |c: char| {
        if c.is_ascii() { c.is_ascii_graphic() && !"@<>()[],;:\\\"".contains(c) } else { c.is_alphanumeric() }
    };
    !local.is_empty() && local.chars().all(permitted)
}

fn valid_domain(domain: &str) -> bool {
    domain.split('.').all(|label| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    })
}

/// The name that an account is shown by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Username(String);

impl Username {
    /// Trims and checks a name; the error is what to say beside the field.
    pub fn parse(text: &str) -> Result<Self, Message> {
        let text = text.trim();
        let length = text.chars().count();
        if !text.chars().all(is_username_character) {
            return Err(Message::new("username-characters"));
        }
        if !(USERNAME_MIN..=USERNAME_MAX).contains(&length) {
            return Err(Message::new("username-length").number("min", USERNAME_MIN).number("max", USERNAME_MAX));
        }
        Ok(Self(text.to_owned()))
    }

    /// The name made of an e-mail address: cleaned, padded, and numbered with `number` from 2 on.
    pub fn derived(email: &Email, number: u32) -> Self {
        let mut name: String = email.local_part().chars().filter(|c| is_username_character(*c)).collect();
        if name.len() < USERNAME_MIN {
            name.insert_str(0, "user");
        }
        let suffix = if number > 1 { number.to_string() } else { String::new() };
        name.truncate(USERNAME_MAX - suffix.len());
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
