//! `doorward webhooks …`, one file for each command.

pub mod args;
mod curl;
mod json_lines;
mod list;
mod listen;
mod ping;
mod receiver;
mod replay;
mod show;
mod stats;
mod verdict;
mod window;

pub(super) use list::list;
pub(super) use listen::listen;
pub(super) use ping::ping;
pub(super) use replay::replay;
pub(super) use show::show;
pub(super) use stats::stats;
pub(super) use window::window;
