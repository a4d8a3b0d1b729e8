//! Parts of lists.

use crate::model::list_place::ListPlace;

/// Things read at a time where all of a list is wanted.
const ALL_AT_ONCE: u32 = 500;

/// Which part of a list: at most `limit` things after a place.
#[derive(Clone, Copy, Debug)]
pub struct ListRange {
    /// After this it begins.
    pub after: ListPlace,
    /// How many things it has at most.
    pub limit: u32,
}

/// A part of a list, newest first.
#[derive(Debug)]
pub struct Listing<T> {
    pub data: Vec<T>,
    /// After what the next part begins; `None` at the end of the list.
    pub next: Option<ListPlace>,
    /// Whether as much was read as one part may, before it was full: the next part searches further.
    pub is_cut: bool,
}

impl ListRange {
    pub const fn first(limit: u32) -> Self {
        Self { after: ListPlace::START, limit }
    }

    /// How many rows to read: one more tells whether there are more.
    pub fn rows(self) -> i64 {
        i64::from(self.limit) + 1
    }

    /// The part of the list that these rows are, of which [`ListRange::rows`] were read.
    pub fn listing<R, T>(
        self,
        mut rows: Vec<R>,
        place: impl Fn(&R) -> ListPlace,
        record: impl FnMut(R) -> T,
    ) -> Listing<T> {
        let limit = usize::try_from(self.limit).unwrap_or(usize::MAX);
        let has_more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| has_more).map(place);
        Listing { data: rows.into_iter().map(record).collect(), next, is_cut: false }
    }

    /// As [`ListRange::listing`], of rows after which the search was cut off at a place, if there were too few.
    pub fn listing_until<R, T>(
        self,
        rows: Vec<R>,
        cut: Option<ListPlace>,
        place: impl Fn(&R) -> ListPlace,
        record: impl FnMut(R) -> T,
    ) -> Listing<T> {
        let listing = self.listing(rows, place, record);
        match (listing.next, cut) {
            (None, Some(cut)) => Listing { next: Some(cut), is_cut: true, ..listing },
            _ => listing,
        }
    }
}

/// Reads a list from its beginning to its end.
pub async fn all<T, E>(part: impl AsyncFn(ListRange) -> Result<Listing<T>, E>) -> Result<Vec<T>, E> {
    let mut all = Vec::new();
    let mut range = ListRange::first(ALL_AT_ONCE);
    loop {
        let Listing { data, next, .. } = part(range).await?;
        all.extend(data);
        match next {
            Some(after) => range = ListRange { after, ..range },
            None => return Ok(all),
        }
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;
