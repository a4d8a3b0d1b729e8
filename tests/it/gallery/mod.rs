//! Every state of every page (`samples`) in a browser: accessible (WCAG 2.2 AA), on a small phone, in both color schemes
//! and languages, and without layout shifts.
//!
//! `DOORWARD_SCREENSHOTS=folder cargo test --test it gallery` saves screenshots of all of them.

mod admin_roles;
mod inspection;
mod language;
pub mod mails;
mod mirrored;
mod page_server;
mod script;
mod settings;
mod states;
