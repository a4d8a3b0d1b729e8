//! Places in lists.

use super::time::Time;
use std::fmt;
use uuid::Uuid;

/// After what a page of a list begins, newest first. It holds what the query compares: the row itself may be gone, or
/// elsewhere in the list, when the next page is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPlace {
    /// The time by which the list is ordered; some go by the id alone.
    pub at: Time,
    pub id: Uuid,
}

impl ListPlace {
    /// Before everything, newest first; PostgreSQL cannot represent much later times.
    pub const START: Self = Self { at: Time::from_micros(i64::MAX / 2), id: Uuid::max() };

    /// Reads a place as it is shown.
    pub fn parse(text: &str) -> Option<Self> {
        let (at, id) = text.split_once('-')?;
        let at = at.parse().ok().filter(|at| (0..=Self::START.at.as_micros()).contains(at))?;
        Some(Self { at: Time::from_micros(at), id: Uuid::try_parse(id).ok()? })
    }
}

impl fmt::Display for ListPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.at.as_micros(), self.id.simple())
    }
}
