//! Sessions. Outside of a transaction they are read and refreshed by [`SessionStore`](session_store::SessionStore); a
//! transaction changes them by the `session_…` functions of [`Tx`](crate::store::Tx).
//!
//! What a session shows, and so what ends its life in memory, is one list: [`columns`]. Two things make it fast, each
//! gone without a change of what is answered: sessions are in [`memory`], and requests share statements ([`group`];
//! decision 6 has both).

pub(super) mod columns;
mod end;
mod group;
pub(super) mod last_use;
pub(super) mod list;
pub(super) mod memory;
mod organization;
mod read;
pub(super) mod row;
pub(super) mod session_store;
pub(super) mod state;
pub(super) mod write;
