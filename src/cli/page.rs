//! Pages of the lists that go on, newest first.

use crate::model::list_place::ListPlace;

/// Reads the place after which a page begins, as `next` and the end of a page say it.
pub(super) fn parse_after(text: &str) -> Result<ListPlace, &'static str> {
    ListPlace::parse(text).ok_or("it is the place that the end of the page before names")
}

/// Cuts off what is more than the page, which was asked for one row more; returns the place of its last row if there was
/// more.
pub(super) fn cut<R>(rows: &mut Vec<R>, limit: u32, place: impl Fn(&R) -> ListPlace) -> Option<String> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = rows.len() > limit;
    rows.truncate(limit);
    rows.last().filter(|_| has_more).map(|last| place(last).to_string())
}

/// The text of a page.
pub(super) fn text(table: String, next: Option<&str>) -> String {
    match next {
        Some(place) => format!("{table}\nThere are more: --after {place} shows the next ones."),
        None => table,
    }
}
