//! `doorward webhooks …`, one file for each command.

pub mod args;
mod forward;
mod list;
mod listen;
mod ping;
pub(super) mod pretty_json;
mod receiver;
mod replay;
mod show;
mod signature_check;
mod stats;

pub(super) use list::list;
pub(super) use listen::listen;
pub(super) use ping::ping;
pub(super) use replay::replay;
pub(super) use show::show;
pub(super) use stats::stats;
