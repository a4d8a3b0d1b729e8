//! The frame that all mails share.

use super::site::Site;
use crate::error::Error;
use askama::Template;

/// What stands in a mail, part by part, from top to bottom.
pub(super) struct Letter<'a> {
    pub(super) subject: String,
    /// What it speaks of, and in which language.
    pub(super) site: Site<'a>,
    pub(super) heading: String,
    /// Above the button.
    pub(super) before: Vec<String>,
    /// The one thing to do.
    pub(super) action: Option<Action<'a>>,
    /// Six digits, and what they are for.
    pub(super) code: Option<Code<'a>>,
    /// Below the button.
    pub(super) after: Vec<String>,
    /// Why the recipient gets this mail.
    pub(super) reason: String,
}

pub(super) struct Action<'a> {
    pub(super) label: String,
    pub(super) url: &'a str,
}

pub(super) struct Code<'a> {
    pub(super) label: String,
    pub(super) digits: &'a str,
}

#[derive(Template)]
#[template(path = "mail/letter.html")]
struct Html<'a> {
    letter: &'a Letter<'a>,
}

#[derive(Template)]
#[template(path = "mail/letter.txt", escape = "none")]
struct Text<'a> {
    letter: &'a Letter<'a>,
}

impl<'a> Letter<'a> {
    /// An empty one.
    pub(super) fn of_site(site: Site<'a>) -> Self {
        Self {
            subject: String::new(),
            site,
            heading: String::new(),
            before: Vec::new(),
            action: None,
            code: None,
            after: Vec::new(),
            reason: String::new(),
        }
    }

    /// The language tag.
    fn language(&self) -> &'static str {
        self.site.messages.locale().tag()
    }

    pub(super) fn html(&self) -> Result<String, Error> {
        Html { letter: self }.render().map_err(|error| unwritten(&error))
    }

    pub(super) fn text(&self) -> Result<String, Error> {
        Text { letter: self }.render().map_err(|error| unwritten(&error))
    }
}

fn unwritten(error: &askama::Error) -> Error {
    Error::Inconsistent(format!("a mail could not be written: {error}"))
}

#[cfg(test)]
#[path = "letter_tests.rs"]
mod tests;
