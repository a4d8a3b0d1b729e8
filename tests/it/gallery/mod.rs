//! Every page in every one of its states, as a person sees it: for everybody (WCAG 2.2 AA), on a small phone, in the
//! reader's own colours and languages, and standing still.
//!
//! `DOORWARD_SCREENSHOTS=folder cargo test --test it gallery` leaves pictures of them all. A page is reached as people
//! reach it; `coverage` sees to it that none is left out.

mod account;
mod addresses;
mod coverage;
mod entrance;
mod errors;
mod factors;
mod invitations;
mod late_script;
mod mails;
mod organizations;
mod pages;
mod room;

use room::{LANGUAGES, Language, Room};
