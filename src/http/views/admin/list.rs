//! Lists of administrators.

use super::table::Cell;
use super::{ActLink, Table};
use crate::http::views::Shell;
use crate::messages::{Key, Message};
use askama::Template;

#[derive(Template)]
#[template(path = "admin_list.html")]
pub struct AdminListPage<'a> {
    pub layout: &'a Shell<'a>,
    pub title: Key,
    /// Where it is, without a query.
    pub path: &'a str,
    pub notice: Option<&'a Message>,
    pub filters: &'a [ListFilter],
    pub table: Table,
    /// Further rows, which one opens, with what they are.
    pub folded: Option<(Message, Table)>,
    /// The link to the first part, on every other one.
    pub first: Option<&'a str>,
    pub next: Option<&'a str>,
    /// Whether the search ended before the part was full: the next one searches further.
    pub is_cut: bool,
    /// What can be done with all of it.
    pub acts: &'a [ActLink],
    /// The command line that lists the same.
    pub command: &'a str,
}

#[derive(Clone, Debug)]
pub struct ListFilter {
    /// Its name in the query.
    pub name: &'static str,
    pub label: Key,
    pub kind: FilterKind,
}

/// What a field that restricts a list asks for.
#[derive(Clone, Debug)]
pub enum FilterKind {
    Search {
        value: String,
        hint: Key,
    },
    /// One of several values; the first is what is listed if nothing is chosen.
    Choice(Vec<super::Choice>),
    Day(String),
}

impl AdminListPage<'_> {
    fn is_restricted(&self) -> bool {
        self.filters.iter().any(|filter| match &filter.kind {
            FilterKind::Search { value, .. } | FilterKind::Day(value) => !value.is_empty(),
            FilterKind::Choice(choices) => choices.iter().skip(1).any(|choice| choice.selected),
        })
    }

    fn empty(&self) -> &Message {
        static FURTHER: Message = Message::new("admin-search-further");
        if self.is_cut { &FURTHER } else { &self.table.empty }
    }
}
