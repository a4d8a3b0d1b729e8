//! The languages of pages and emails.

use std::fmt;
use unic_langid::LanguageIdentifier;

/// The longest tag: `aaaaaaaa-Aaaa-000`.
const MAX_LENGTH: usize = 17;
/// Languages that are written from right to left.
const RIGHT_TO_LEFT: [&str; 9] = ["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur"];

/// A language of pages and emails: language, script and region of a BCP 47 tag, in canonical letter case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Locale {
    tag: [u8; MAX_LENGTH],
    length: usize,
}

impl Locale {
    /// English: complete, and the fallback for messages that another language lacks.
    pub const ENGLISH: Self = Self::new("en");
    /// German, with the formal address.
    pub const GERMAN: Self = Self::new("de");
    /// Spanish, with the formal address.
    pub const SPANISH: Self = Self::new("es");
    /// French, with the formal address.
    pub const FRENCH: Self = Self::new("fr");

    /// The languages of this build with their messages, in the order of the language menu. There is no other list of
    /// them.
    const FILES: [(Locale, &'static str); 4] = [
        (Self::ENGLISH, include_str!("../../messages/en.ftl")),
        (Self::GERMAN, include_str!("../../messages/de.ftl")),
        (Self::SPANISH, include_str!("../../messages/es.ftl")),
        (Self::FRENCH, include_str!("../../messages/fr.ftl")),
    ];

    /// The languages of this build, in the order of the language menu.
    pub const BUILT_IN: [Locale; Self::FILES.len()] = {
        let (mut all, mut index) = ([Self::ENGLISH; Self::FILES.len()], 0);
        while index < all.len() {
            all[index] = Self::FILES[index].0;
            index += 1;
        }
        all
    };

    /// From a canonical tag; what does not fit is cut off.
    const fn new(text: &str) -> Self {
        let (bytes, mut tag, mut length) = (text.as_bytes(), [0; MAX_LENGTH], 0);
        while length < bytes.len() && length < MAX_LENGTH {
            tag[length] = bytes[length];
            length += 1;
        }
        Self { tag, length }
    }

    /// The language of a tag such as `de`, `de-AT` or `zh-Hant-TW`, in any letter case; `None` if it is malformed, or has
    /// variants or extensions.
    pub fn parse(tag: &str) -> Option<Self> {
        let parsed: LanguageIdentifier = tag.parse().ok()?;
        let is_plain = parsed.variants().len() == 0 && !parsed.language.is_empty() && !tag.contains('_');
        let canonical = parsed.to_string();
        (is_plain && canonical.len() <= MAX_LENGTH).then(|| Self::new(&canonical))
    }

    /// The tag (RFC 5646), as in `lang`, in the cookie and in the file name.
    pub fn tag(&self) -> &str {
        self.tag.get(..self.length).and_then(|tag| std::str::from_utf8(tag).ok()).unwrap_or("en")
    }

    /// The language without script and region.
    pub fn primary(&self) -> &str {
        self.tag().split('-').next().unwrap_or_default()
    }

    /// Whether it is written from right to left.
    pub fn is_right_to_left(&self) -> bool {
        RIGHT_TO_LEFT.contains(&self.primary())
    }

    pub fn built_in(&self) -> Option<&'static str> {
        Self::FILES.iter().find(|(locale, _)| locale == self).map(|(_, text)| *text)
    }

    /// The most fitting of the languages: this one, else one that differs in script and region only.
    pub fn best_of(self, languages: &[Locale]) -> Option<Locale> {
        let exact = languages.iter().find(|language| **language == self);
        let general = languages.iter().find(|language| language.tag() == self.primary());
        let related = languages.iter().find(|language| language.primary() == self.primary());
        exact.or(general).or(related).copied()
    }
}

impl Default for Locale {
    fn default() -> Self {
        Self::ENGLISH
    }
}

impl fmt::Display for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

impl fmt::Debug for Locale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.tag())
    }
}

#[cfg(test)]
#[path = "locale_tests.rs"]
mod tests;
