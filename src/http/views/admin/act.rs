//! The form of an act of administrators.

use crate::http::views::{Field, Layout, NavigationItem};
use crate::messages::{Key, Message};
use askama::Template;

/// The form of an act: what happens, what is needed for it, the reason, and the command line that does the same.
#[derive(Template)]
#[template(path = "admin_act.html")]
pub struct AdminActPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The form's CSRF token.
    pub csrf: &'a str,
    /// The navigation.
    pub sections: &'a [NavigationItem],
    /// The form's path.
    pub action: &'a str,
    /// What it does.
    pub title: Key,
    /// With what it is done; people may have typed it. `None`: with nothing that is there already.
    pub subject: Option<&'a str>,
    /// What happens.
    pub explanation: Key,
    /// Its fields, beside the reason.
    pub fields: &'a [AdminField<'a>],
    /// The reason.
    pub reason: Field<'a>,
    /// An error of the whole form.
    pub form_error: Option<&'a Message>,
    /// The button's words.
    pub button: Key,
    /// Whether it takes something away.
    pub is_dangerous: bool,
    /// Where the way back leads.
    pub back: &'a str,
    /// What stands there.
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

/// A field of an act.
#[derive(Clone, Debug)]
pub struct AdminField<'a> {
    /// Its name.
    pub name: &'static str,
    /// Its label.
    pub label: Key,
    /// What is asked for.
    pub kind: AdminFieldKind,
    /// What is wrong with it.
    pub error: Option<&'a Message>,
}

/// What a field asks for.
#[derive(Clone, Debug)]
pub enum AdminFieldKind {
    /// A line of text.
    Text {
        /// What stands in it.
        value: String,
        /// Whether it must be filled in.
        required: bool,
    },
    /// A day, which may be left out.
    Day(String),
    /// An email address.
    Email(String),
    /// Yes or no.
    Check(bool),
    /// One of several values.
    Choice(Vec<Choice>),
    /// Any of several values.
    Checks(Vec<Choice>),
    /// Nothing: it sends back what stood in the fields when the form was opened.
    Opened(String),
}

/// One of several values.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The value.
    pub value: &'static str,
    /// What it means.
    pub label: Message,
    /// Whether it is chosen.
    pub selected: bool,
}

impl AdminActPage<'_> {
    fn has_error(&self) -> bool {
        self.form_error.is_some()
            || self.reason.error.is_some()
            || self.fields.iter().any(|field| field.error.is_some())
    }

    /// Whether this field is the first with an error.
    fn is_first_wrong(&self, name: &str) -> bool {
        self.form_error.is_none()
            && self.fields.iter().find(|field| field.error.is_some()).is_some_and(|field| field.name == name)
    }

    fn is_reason_first_wrong(&self) -> bool {
        self.reason.error.is_some()
            && self.form_error.is_none()
            && self.fields.iter().all(|field| field.error.is_none())
    }
}
