//! Sessions. [`SessionStore`] is the door for everybody outside a transaction; a transaction changes sessions by the
//! `session_…` functions of [`Tx`](crate::store::Tx).
//!
//! What a session shows, and so what ends its life in memory, is one list: [`columns`]. Three things make it fast, each
//! in a module of its own, and each gone without a change of what is answered: [`memory`] (decision 6), [`remembered`]
//! (decision 9) and [`group`] (decision 10).

pub(super) mod columns;
pub(super) mod door;
mod end;
mod group;
pub(super) mod last_use;
pub(super) mod list;
pub(super) mod memory;
mod organization;
mod read;
mod read_ahead;
mod recent;
mod remembered;
pub(super) mod row;
mod rows;
pub(super) mod state;
pub(super) mod write;
