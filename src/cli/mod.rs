//! The command line: what may be typed, and the commands themselves, one file each. `run.rs` says which function carries
//! out a command and what the command needs.

pub mod args;
mod attempts;
pub mod config;
mod failure;
mod help;
mod invitation;
mod keys;
mod mail;
mod needs;
mod org;
pub mod org_args;
mod output;
mod passwords;
mod printable;
mod run;
mod serve;
mod user;
mod user_audit;
mod webhooks;
mod words;

pub use failure::Failure;
pub use run::run;
