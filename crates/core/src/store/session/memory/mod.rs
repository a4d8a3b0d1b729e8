//! Sessions in memory (docs/decisions/0006-sessions-in-memory.md): [`get_cached`](super::door::SessionStore::get_cached)
//! is all that others see of it.

pub(super) mod cache;
mod clean_up;
pub(in crate::store) mod cursor;
mod lookup;
mod polls;
pub(super) mod reader;
pub(in crate::store) mod staleness;
