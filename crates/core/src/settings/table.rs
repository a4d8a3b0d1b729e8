//! The table of settings, used for parsing, typo warnings, `config`, the long help and `docs/reference/settings.md`.

use super::spec::{SettingsGroup, Spec};
use super::{accounts, database, gate, log, mail, pages, providers, secret, server, sessions, tokens, webhooks};

/// Every section, in the order of reading and display.
pub static SECTIONS: [&SettingsGroup; 12] = [
    &server::SECTION,
    &database::SECTION,
    &secret::SECTION,
    &sessions::SECTION,
    &gate::SECTION,
    &tokens::SECTION,
    &accounts::SECTION,
    &providers::SECTION,
    &mail::SECTION,
    &pages::SECTION,
    &webhooks::SECTION,
    &log::SECTION,
];

pub fn all() -> impl Iterator<Item = &'static Spec> {
    SECTIONS.into_iter().flat_map(|section| section.settings.iter().copied())
}

pub fn find(suffix: &str) -> Option<&'static Spec> {
    all().find(|spec| spec.suffix == suffix)
}
