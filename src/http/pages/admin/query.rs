//! What the lists of administrators read from their query, and the links between their parts.

use crate::http::pages::page_context::PageContext;
use crate::http::return_to;
use crate::http::views::{Choice, Filter, FilterKind};
use crate::messages::{Key, Message};
use crate::model::time::Time;
use std::time::Duration;

const DAY: Duration = Duration::from_hours(24);

/// A list with these fields of its query, after a place.
pub(super) fn link(context: &PageContext, path: &str, kept: &[&str], after: Option<&str>) -> String {
    let kept = kept.iter().map(|name| (*name, context.query.text(name)));
    let fields = kept.chain([("after", after.unwrap_or_default())]).filter(|(_, value)| !value.is_empty());
    fields.fold(path.to_owned(), |path, (name, value)| return_to::with_query(&path, name, value))
}

/// The first moment of a day or a time of RFC 3339; what is neither restricts nothing.
pub(super) fn since(text: &str) -> Option<Time> {
    Time::parse(text).or_else(|| midnight(text))
}

/// The first moment after a day, or a time of RFC 3339.
pub(super) fn until(text: &str) -> Option<Time> {
    Time::parse(text).or_else(|| midnight(text).map(|begin| begin + DAY))
}

fn midnight(day: &str) -> Option<Time> {
    Time::parse(&format!("{day}T00:00:00Z"))
}

/// The fields of a span of time.
pub(super) fn span_filters(context: &PageContext) -> [Filter; 2] {
    let day = |name: &'static str, label| {
        let text = context.query.text(name);
        let shown =
            if since(text).is_some() { text.chars().take_while(|c| *c != 'T').collect() } else { String::new() };
        Filter { name, label: Key(label), kind: FilterKind::Day(shown) }
    };
    [day("since", "admin-since"), day("until", "admin-until")]
}

/// A field that restricts to one of these values.
pub(super) fn choice(
    name: &'static str,
    label: &'static str,
    values: impl IntoIterator<Item = (&'static str, Message)>,
    chosen: &str,
) -> Filter {
    let mut choices = vec![Choice { value: "", label: Message::new("admin-any"), selected: chosen.is_empty() }];
    choices.extend(values.into_iter().map(|(value, label)| Choice { value, label, selected: value == chosen }));
    Filter { name, label: Key(label), kind: FilterKind::Choice(choices) }
}
