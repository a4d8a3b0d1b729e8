//! The languages in which states are shown, with texts as long as real ones can be.

use super::mirrored;
use super::settings::SETTINGS;
use crate::samples::{ORDINARY, Texts};
use doorward::messages::Locale;

/// As long as real ones can be.
pub const EMAIL: &str = "rear.admiral.grace.brewster.murray.hopper@navy.example.org";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English, which gets every check.
    English,
    /// German, which has the longest words and gets only the check for width.
    German,
    /// A sample of those written from right to left, which gets the same check as German.
    RightToLeft,
}

impl Language {
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::German => "de",
            Language::RightToLeft => mirrored::TAG,
        }
    }

    /// What the page's root says of it.
    pub fn attributes(self) -> String {
        let direction = if self == Language::RightToLeft { " dir=\"rtl\"" } else { "" };
        format!("<html lang=\"{}\"{direction}>", self.tag())
    }

    pub fn texts(self) -> Texts {
        Texts {
            email: EMAIL,
            username: "rear.admiral.grace.brewster.murray.hopper",
            name: "Donaudampfschifffahrtsgesellschaftskapitänsmützenabteilung",
            device: "Samsung Internet on Android",
            place: "2001:db8:85a3:8d3:1319:8a2e:370:7348",
            rows: 50,
            locale: Locale::parse(self.tag()).unwrap(),
            catalog: || SETTINGS.pages.catalog(),
            brand: || &SETTINGS.pages.brand,
            ..ORDINARY
        }
    }
}
