//! `doorward mail …`, one file for each command.

pub mod args;
mod list;
mod retry;
mod send_test;
mod show;

pub(super) use list::list;
pub(super) use retry::retry;
pub(super) use send_test::send_test;
pub(super) use show::{link, show};
