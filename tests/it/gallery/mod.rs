//! Every page in each of its states: accessible (WCAG 2.2 AA), on a small phone, in both color schemes and languages,
//! and without layout shifts.
//!
//! `DOORWARD_SCREENSHOTS=folder cargo test --test it gallery` saves screenshots of all of them. Pages are reached as
//! users reach them; `coverage` checks that none is left out.

mod account;
mod addresses;
mod admin;
mod admin_roles;
mod coverage;
mod entrance;
mod errors;
mod factors;
mod gate;
mod invitations;
mod late_script;
pub mod mails;
mod mirrored;
mod organizations;
mod pages;
mod providers;
mod visitor;

use visitor::{LANGUAGES, Language, Visitor};
