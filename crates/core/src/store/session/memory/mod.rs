//! Sessions in memory (docs/concepts/decisions/0006-sessions-in-memory.md). [`lookup`] has the questions that others
//! ask.

pub(super) mod cache;
mod clean_up;
pub(in crate::store) mod cursor;
mod lookup;
mod polls;
mod read_ahead;
pub(super) mod reader;
pub(in crate::store) mod staleness;
