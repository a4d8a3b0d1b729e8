//! The frame that all mails share.

use super::message::Mail;
use super::words::{self, Site};
use crate::domain::Error;
use askama::Template;

/// What stands in a mail, part by part, from top to bottom.
#[derive(Default)]
pub(super) struct Letter<'a> {
    pub(super) subject: String,
    /// The host of the service.
    pub(super) site: &'a str,
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

#[derive(Clone, Copy)]
pub(super) struct Action<'a> {
    pub(super) label: &'a str,
    pub(super) url: &'a str,
}

#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    pub(super) label: &'a str,
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
    pub(super) fn of(mail: &Mail<'a>, site: Site<'a>, link: Option<&'a str>) -> Self {
        let mut letter = words::letter(mail, site, link.unwrap_or_default());
        letter.subject = one_line(&letter.subject);
        letter
    }

    pub(super) fn html(&self) -> Result<String, Error> {
        Html { letter: self }.render().map_err(|error| unwritten(&error))
    }

    pub(super) fn text(&self) -> Result<String, Error> {
        Text { letter: self }.render().map_err(|error| unwritten(&error))
    }
}

/// A name that people chose stands in the subject: no part of it may begin another header.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn unwritten(error: &askama::Error) -> Error {
    Error::Inconsistent(format!("a mail could not be written: {error}"))
}
