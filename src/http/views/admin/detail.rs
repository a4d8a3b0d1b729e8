//! One thing as administrators see it: a person, an organization, a delivery.

use super::table::{Cell, Cells};
use super::{ActLink, Table};
use crate::http::views::Shell;
use crate::messages::{Key, Message};
use askama::Template;

#[derive(Template)]
#[template(path = "admin_detail.html")]
pub struct AdminDetailPage<'a> {
    pub layout: &'a Shell<'a>,
    pub list: (&'static str, Key),
    /// What it is called; people may have typed it.
    pub title: &'a str,
    pub tags: &'a [Cell],
    pub notice: Option<&'a Message>,
    pub parts: &'a [AdminPart],
    /// The command line that shows the same.
    pub command: &'a str,
    /// Whether the page asks for itself again every two seconds: something is under way.
    pub renews: bool,
}

#[derive(Clone, Debug)]
pub struct AdminPart {
    pub id: &'static str,
    pub heading: Key,
    pub content: PartContent,
    pub more: Option<(String, Key)>,
    pub acts: Vec<ActLink>,
}

#[derive(Clone, Debug)]
pub enum PartContent {
    Facts(Vec<(Key, Cells)>),
    Table(Table),
    Acts,
}
