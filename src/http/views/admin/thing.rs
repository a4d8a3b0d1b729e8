//! One thing as administrators see it: a person, an organization, a delivery.

use super::table::{Cell, Cells};
use super::{ActLink, Table};
use crate::http::views::{Layout, NavigationItem};
use crate::messages::{Key, Message};
use askama::Template;

/// A thing, in parts.
#[derive(Template)]
#[template(path = "admin_thing.html")]
pub struct AdminThingPage<'a> {
    /// The layout around the page.
    pub layout: Layout<'a>,
    /// The navigation.
    pub sections: &'a [NavigationItem],
    /// The list that it stands in.
    pub list: (&'static str, Key),
    /// What it is called; people may have typed it.
    pub title: &'a str,
    /// Its states.
    pub tags: &'a [Cell],
    /// Confirms what was just done.
    pub notice: Option<&'a Message>,
    /// The parts.
    pub parts: &'a [AdminPart],
    /// The command line that shows the same.
    pub command: &'a str,
    /// Whether the page asks for itself again every two seconds: something is under way.
    pub renews: bool,
}

/// A part of a thing's page.
#[derive(Clone, Debug)]
pub struct AdminPart {
    /// The id of its heading.
    pub id: &'static str,
    /// Its heading.
    pub heading: Key,
    /// What is in it.
    pub content: PartContent,
    /// A link to more of it.
    pub more: Option<(String, Key)>,
    /// What can be done.
    pub acts: Vec<ActLink>,
}

/// What is in a part.
#[derive(Clone, Debug)]
pub enum PartContent {
    /// Names and values.
    Facts(Vec<(Key, Cells)>),
    /// A table.
    Table(Table),
    /// Only acts.
    Acts,
}
