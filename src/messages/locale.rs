//! The languages that pages speak.

/// A language that pages speak.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// English: complete, and what stands where another language lacks a sentence.
    #[default]
    En,
    /// German, with the formal address.
    De,
}

impl Locale {
    /// Every language, in the order of the switch.
    pub const ALL: [Locale; 2] = [Locale::En, Locale::De];

    /// The language tag (RFC 5646), as in `lang`, in the cookie and in the file's name.
    pub const fn tag(self) -> &'static str {
        match self {
            Locale::En => "en",
            Locale::De => "de",
        }
    }

    /// The language of a tag or a longer one, such as `de-AT`, in any letter case.
    pub fn parse(tag: &str) -> Option<Self> {
        let primary = tag.split('-').next().unwrap_or_default();
        Self::ALL.into_iter().find(|locale| locale.tag().eq_ignore_ascii_case(primary))
    }

    /// The messages of this build.
    pub(super) const fn source(self) -> &'static str {
        match self {
            Locale::En => include_str!("../../messages/en.ftl"),
            Locale::De => include_str!("../../messages/de.ftl"),
        }
    }
}
