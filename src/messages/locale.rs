//! The languages of the pages.

/// A language of the pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// English: complete, and the fallback for messages that another language lacks.
    #[default]
    En,
    /// German, with the formal address.
    De,
}

impl Locale {
    /// Every language, in the order of the language menu.
    pub const ALL: [Locale; 2] = [Locale::En, Locale::De];

    /// The language tag (RFC 5646), as in `lang`, in the cookie and in the file name.
    pub const fn tag(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::De => "de",
        }
    }

    /// The language of a tag, also with a region such as `de-AT`, in any letter case.
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|locale| locale.tag().eq_ignore_ascii_case(primary))
    }

    /// The embedded message file.
    pub(super) const fn source(self) -> &'static str {
        match self {
            Locale::En => include_str!("../../messages/en.ftl"),
            Locale::De => include_str!("../../messages/de.ftl"),
        }
    }
}
