//! The command line: arguments, and one file for each command. `run.rs` maps commands to functions and to the context
//! they need.

mod api_key;
pub mod api_key_args;
pub mod args;
mod attempts;
mod backup;
mod backup_args;
pub mod config;
mod details_args;
mod doctor;
mod failure;
mod format;
mod healthcheck;
mod help;
mod invitation;
mod keys;
mod mail;
mod manual;
mod messages;
mod migrate;
mod org;
pub mod org_args;
mod output;
mod page;
mod passwords;
mod printable;
mod restore;
mod run;
mod runner;
mod secrets_reset;
mod serve;
mod setup_link;
mod user;
pub mod user_args;
mod user_audit;
mod user_details;
mod user_duplicates;
mod user_list;
mod user_sessions;
mod webhooks;
mod which_org;
mod wording;

pub use failure::Failure;
pub use output::{print, print_error};
pub use run::run;
