//! The identifiers of an account: its email address and its username.

use crate::messages::Message;
use crate::model::mail_domain;
use crate::model::placeholder_email::is_placeholder;
use crate::model::visible::is_invisible;
use uuid::Uuid;

/// RFC 5321, 4.5.3.1.3: a path has at most 256 characters, two of them the angle brackets.
pub(in crate::domain) const MAX_EMAIL_LEN: usize = 254;
const MIN_USERNAME_LEN: usize = 2;
const MAX_USERNAME_LEN: usize = 64;

/// A syntactically valid email address, its domain as A-labels.
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
        // RFC 5321, 4.1.2: words of at least one character between the dots.
        let is_new = |email: &Self| !email.local_part().split('.').any(str::is_empty);
        Self::parse_existing(text).filter(is_new).ok_or(Message::new("email-invalid"))
    }

    /// As [`parse`](Self::parse), for an account that may exist: older addresses may have dots at the ends of the part
    /// before the `@`, or doubled in it.
    pub fn parse_existing(text: &str) -> Option<Self> {
        let (local, domain) = text.trim().rsplit_once('@')?;
        let domain = mail_domain::to_a_labels(domain).filter(|_| !domain.chars().any(is_invisible))?;
        if !is_valid_local(local) || !is_valid_domain(&domain) {
            return None;
        }
        let address = format!("{local}@{domain}");
        (address.chars().count() <= MAX_EMAIL_LEN && !is_placeholder(&address)).then_some(Self(address))
    }

    /// Wraps a stored address, which was validated before.
    pub(in crate::domain) fn from_stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The address as its owner wrote it, but for its domain.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which addresses are compared.
    pub fn key(&self) -> String {
        mail_domain::key(&self.0)
    }

    pub fn local_part(&self) -> &str {
        self.0.rsplit_once('@').map_or(&self.0, |(local, _)| local)
    }
}

fn is_valid_local(local: &str) -> bool {
    let permitted = |c: char| {
        if c.is_ascii() { c.is_ascii_graphic() && !"@<>()[],;:\\\"".contains(c) } else { is_letter_or_digit(c) }
    };
    !local.is_empty() && local.chars().all(permitted)
}

/// Beyond ASCII only letters and digits that can be seen: others make one address look like another (RFC 6531 permits
/// them; Unicode Technical Report 36, 2 explains the risk). Hangul fillers are letters that cannot be seen.
fn is_letter_or_digit(c: char) -> bool {
    c.is_alphanumeric() && !is_invisible(c)
}

fn is_valid_domain(domain: &str) -> bool {
    domain.split('.').all(|label| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    })
}

/// The name that a user logs in with.
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
        if is_id(text) {
            return Err(Message::new("username-is-id"));
        }
        Ok(Self(text.to_owned()))
    }

    /// Derives a name from an email address: cleaned, padded and cut.
    pub fn derived(email: &EmailAddress) -> Self {
        let mut name: String = email.local_part().chars().filter(|c| is_username_character(*c)).collect();
        if name.len() < MIN_USERNAME_LEN || is_id(&name) {
            name.insert_str(0, "user");
        }
        name.truncate(MAX_USERNAME_LEN);
        Self(name)
    }

    /// The name with a number behind it, cut to fit, for where it is taken.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        let suffix = number.to_string();
        let mut name = self.0.clone();
        name.truncate(MAX_USERNAME_LEN - suffix.len());
        name.push_str(&suffix);
        if is_id(&name) {
            // Hexadecimal digits that the number completed to an id: shorter than a UUID's 36 characters.
            name.insert_str(0, "user");
        }
        Self(name)
    }

    /// The name with a word in front of it, cut to fit.
    pub(super) fn behind(&self, word: &str) -> Self {
        let mut name = format!("{word}{}", self.0);
        name.truncate(MAX_USERNAME_LEN);
        Self(name)
    }

    /// The name as its owner wrote it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which names are compared.
    pub fn key(&self) -> String {
        mail_domain::fold(&self.0)
    }
}

/// Operators name accounts by id or username, so that no username may be another account's id, however it is written.
fn is_id(name: &str) -> bool {
    Uuid::try_parse(name).is_ok()
}

fn is_username_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}
