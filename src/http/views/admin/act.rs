//! The form of an act of administrators.

use crate::http::views::{Field, Shell};
use crate::messages::{Key, Message};
use askama::Template;

/// The form of an act: what happens, what is needed for it, the reason, and the command line that does the same.
#[derive(Template)]
#[template(path = "admin_act.html")]
pub struct AdminActPage<'a> {
    pub layout: &'a Shell<'a>,
    pub action: &'a str,
    pub title: Key,
    /// With what it is done; people may have typed it. `None`: with nothing that is there already.
    pub subject: Option<&'a str>,
    pub explanation: Key,
    /// Its fields, beside the reason.
    pub fields: &'a [AdminField<'a>],
    pub reason: Field<'a>,
    pub button: Key,
    pub is_dangerous: bool,
    pub back: &'a str,
    pub parent: ActParent<'a>,
    /// The command line that does the same.
    pub command: &'a str,
}

/// The page on which an act was chosen.
#[derive(Clone, Copy, Debug)]
pub enum ActParent<'a> {
    /// That of someone or something with this name; people may have typed it.
    Named(&'a str),
    /// One of ours.
    Page(Key),
}

#[derive(Clone, Debug)]
pub struct AdminField<'a> {
    pub name: &'static str,
    pub label: Key,
    pub kind: AdminFieldKind,
    pub error: Option<&'a Message>,
}

#[derive(Clone, Debug)]
pub enum AdminFieldKind {
    Text {
        value: String,
        required: bool,
    },
    /// A day, which may be left out.
    Day(String),
    Email(String),
    Check(bool),
    Choice(Vec<Choice>),
    Checks(Vec<Choice>),
    /// Nothing: it sends back what stood in the fields when the form was opened.
    Opened(String),
}

#[derive(Clone, Debug)]
pub struct Choice {
    pub value: &'static str,
    pub label: Message,
    pub selected: bool,
}

impl AdminActPage<'_> {
    fn has_error(&self) -> bool {
        self.layout.form_error.is_some()
            || self.reason.error.is_some()
            || self.fields.iter().any(|field| field.error.is_some())
    }

    /// Whether this field is the first with an error.
    fn is_first_wrong(&self, name: &str) -> bool {
        self.layout.form_error.is_none()
            && self.fields.iter().find(|field| field.error.is_some()).is_some_and(|field| field.name == name)
    }

    fn is_reason_first_wrong(&self) -> bool {
        self.reason.error.is_some()
            && self.layout.form_error.is_none()
            && self.fields.iter().all(|field| field.error.is_none())
    }
}
