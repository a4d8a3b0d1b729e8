//! Pages of the lists that go on, newest first.

use crate::domain::directory::list::ListRange;
use crate::model::list_place::ListPlace;
use clap::Args;

/// Which page of a list. Doc comments here are the help text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct PageArguments {
    /// Show at most this many
    #[arg(
        long,
        value_name = "NUMBER",
        default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..=100_000)
    )]
    pub limit: u32,
    /// Begin after this place: `next` of the page before (empty: at the beginning)
    #[arg(long, value_name = "PLACE", value_parser = parse_after, default_value = "", hide_default_value = true)]
    pub after: ListPlace,
}

impl PageArguments {
    pub(super) fn range(self) -> ListRange {
        ListRange { after: self.after, limit: self.limit }
    }
}

/// Reads the place after which a page begins, as `next` and the end of a page say it.
fn parse_after(text: &str) -> Result<ListPlace, &'static str> {
    if text.is_empty() {
        return Ok(ListPlace::START);
    }
    ListPlace::parse(text).ok_or("take it from the end of the page before, or from its `next` with --json")
}

pub(super) fn text(table: String, next: Option<ListPlace>) -> String {
    match next {
        Some(place) => format!("{table}\nMore results: --after {place}"),
        None => table,
    }
}
