//! What happened to the account.

use super::{Chrome, Section};
use crate::model::time::Time;
use askama::Template;

/// `/auth/account/activity`.
#[derive(Template)]
#[template(path = "account_activity.html")]
pub struct ActivityPage<'a> {
    /// Around the page.
    pub chrome: Chrome<'a>,
    /// The pages to move between.
    pub sections: &'a [Section],
    /// What happened, the latest first.
    pub entries: &'a [ActivityLine],
    /// Whether later entries stand on an earlier page.
    pub continued: bool,
    /// From where the next page goes on.
    pub next: Option<&'a str>,
}

/// Something that happened.
#[derive(Clone, Debug)]
pub struct ActivityLine {
    /// The kind's name, by which its sentence is chosen.
    pub kind: String,
    /// When; of several times, the last.
    pub at: Time,
    /// How often.
    pub times: i64,
    /// What the kind alone does not say.
    pub detail: String,
    /// The device in words; `None` at the command line.
    pub device: Option<String>,
    /// The client's address.
    pub address: String,
    /// Whether an operator did it.
    pub by_operator: bool,
    /// Whether the user should look twice.
    pub alarming: bool,
}
