//! `doorward mail …`, one file for each command.

pub mod args;
mod list;
mod show;
mod test;

pub(super) use list::list;
pub(super) use show::{link, show};
pub(super) use test::test;
