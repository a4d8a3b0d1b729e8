//! The query of a list: what restricts it, and after what it goes on.

use crate::domain::directory::list::ListRange;
use crate::http::pages::page_context::PageContext;
use crate::http::return_to;
use crate::http::views::{Choice, FilterKind, ListFilter};
use crate::messages::{Key, Message};
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use std::time::Duration;

const PAGE_SIZE: u32 = 50;
const DAY: Duration = Duration::from_hours(24);

/// A list at this path, with the fields of its query that stay from page to page.
pub(super) struct ListQuery<'a> {
    context: &'a PageContext,
    path: &'a str,
    kept: &'a [&'a str],
}

impl<'a> ListQuery<'a> {
    pub(super) const fn new(context: &'a PageContext, path: &'a str, kept: &'a [&'a str]) -> Self {
        Self { context, path, kept }
    }

    /// The part of the list that is asked for; the first one if its place cannot be read.
    pub(super) fn range(&self, name: &str) -> ListRange {
        ListRange { after: self.after(name).unwrap_or(ListPlace::START), limit: PAGE_SIZE }
    }

    fn after(&self, name: &str) -> Option<ListPlace> {
        self.context.query.get(name).and_then(ListPlace::parse)
    }

    /// The link to the first part, on every other one.
    pub(super) fn first(&self) -> Option<String> {
        self.after("after").map(|_| self.link(None))
    }

    /// The link to the part after a place, by this field.
    pub(super) fn next(&self, name: &str, place: Option<ListPlace>) -> Option<String> {
        place.map(|place| self.link(Some((name, &place.to_string()))))
    }

    /// The link to the list with the same fields and one more, such as the place after which it goes on.
    pub(super) fn link(&self, more: Option<(&str, &str)>) -> String {
        let kept = self.kept.iter().map(|name| (*name, self.context.query.text(name)));
        let fields = kept.chain(more).filter(|(_, value)| !value.is_empty());
        fields.fold(self.path.to_owned(), |path, (name, value)| return_to::with_query(&path, name, value))
    }

    pub(super) fn since(&self) -> Option<Time> {
        since(self.context.query.get("since")?)
    }

    pub(super) fn until(&self) -> Option<Time> {
        until(self.context.query.get("until")?)
    }

    /// The fields of a span of time.
    pub(super) fn span_filters(&self) -> [ListFilter; 2] {
        [("since", "admin-since", self.since()), ("until", "admin-until", self.until())].map(|(name, label, time)| {
            let day = self.context.query.text(name).chars().take_while(|c| *c != 'T');
            let shown = time.map(|_| day.collect()).unwrap_or_default();
            ListFilter { name, label: Key(label), kind: FilterKind::Day(shown) }
        })
    }
}

/// The first moment of a day in UTC, or a time of RFC 3339.
pub(super) fn since(text: &str) -> Option<Time> {
    Time::parse(text).or_else(|| midnight(text))
}

/// The first moment after a day in UTC, or a time of RFC 3339.
pub(super) fn until(text: &str) -> Option<Time> {
    Time::parse(text).or_else(|| midnight(text).map(|begin| begin + DAY))
}

fn midnight(day: &str) -> Option<Time> {
    Time::parse(&format!("{day}T00:00:00Z"))
}

/// A field for words to search for.
pub(super) fn search(name: &'static str, label: &'static str, hint: &'static str, value: &str) -> ListFilter {
    ListFilter { name, label: Key(label), kind: FilterKind::Search { value: value.to_owned(), hint: Key(hint) } }
}

/// A field that restricts to one of these values, or to none.
pub(super) fn choice(
    name: &'static str,
    label: &'static str,
    values: impl IntoIterator<Item = (&'static str, Message)>,
    chosen: &str,
) -> ListFilter {
    let mut choices = vec![Choice { value: "", label: Message::new("admin-any"), selected: chosen.is_empty() }];
    choices.extend(values.into_iter().map(|(value, label)| Choice { value, label, selected: value == chosen }));
    ListFilter { name, label: Key(label), kind: FilterKind::Choice(choices) }
}
