//! The one table of settings. It feeds parsing, the search for mistyped names, `config`, the long help and
//! `docs/settings.md`.

use super::spec::{Section, Spec};
use super::{accounts, database, log, mail, pages, secret, server, sessions, tokens, webhooks};

/// Every section, in the order in which it is read and shown.
pub static SECTIONS: [&Section; 10] = [
    &server::SECTION,
    &database::SECTION,
    &secret::SECTION,
    &sessions::SECTION,
    &tokens::SECTION,
    &accounts::SECTION,
    &mail::SECTION,
    &pages::SECTION,
    &webhooks::SECTION,
    &log::SECTION,
];

/// Every setting.
pub fn all() -> impl Iterator<Item = &'static Spec> {
    SECTIONS.into_iter().flat_map(|section| section.settings.iter().copied())
}

/// The setting with this suffix.
pub fn find(suffix: &str) -> Option<&'static Spec> {
    all().find(|spec| spec.suffix == suffix)
}
