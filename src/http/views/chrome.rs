//! What every page has around its content.

use super::markup::{Markup, Moment};
use super::words;
use crate::brand::Brand;
use crate::context::App;
use crate::http::assets::Assets;
use crate::http::language::Language;
use crate::messages::{Key, Locale, Message, Messages, Text};
use crate::model::time::Time;

/// What every page has around its content.
#[derive(Clone, Copy, Debug)]
pub struct Chrome<'a> {
    /// Name, logo and colours of whoever runs the service.
    pub brand: &'a Brand,
    /// Stylesheet, script and icon under their hashed names.
    pub assets: &'static Assets,
    /// What the page says, in the reader's language.
    pub messages: Messages<'a>,
    /// Where the page is seen again, for the switch of languages: a path on this origin.
    pub here: &'a str,
    /// Who is logged in, if anyone.
    pub viewer: Option<Viewer<'a>>,
}

/// Who is looking at a page.
#[derive(Clone, Copy)]
pub struct Viewer<'a> {
    /// The name beside the log-out button.
    pub username: &'a str,
    /// The CSRF token of the log-out button.
    pub csrf: &'a str,
}

/// Without the token.
impl std::fmt::Debug for Viewer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").field("username", &self.username).finish_non_exhaustive()
    }
}

impl<'a> Chrome<'a> {
    /// Around a page for someone who is not logged in, or for whoever it may be.
    pub fn new(app: &'a App, language: &'a Language) -> Self {
        let pages = &app.settings.pages;
        Self::with(&pages.brand, pages.messages(language.locale), &language.here)
    }

    /// The same from its parts.
    pub fn with(brand: &'a Brand, messages: Messages<'a>, here: &'a str) -> Self {
        Self { brand, assets: Assets::embedded(), messages, here, viewer: None }
    }

    /// The same for someone who is logged in.
    #[must_use]
    pub fn viewed_by(self, username: &'a str, csrf: &'a str) -> Self {
        Self { viewer: Some(Viewer { username, csrf }), ..self }
    }

    /// The sentence of this name; [`Text::with`] fills its gaps.
    pub fn t(&self, key: impl Into<Key>) -> Text<'a> {
        self.messages.t(key)
    }

    /// The sentence of this name, with parts that stand out.
    pub fn html(&self, key: impl Into<Key>) -> Markup<'a> {
        Markup::new(self.messages, key.into())
    }

    /// The sentence that a use case answered with.
    pub fn say(&self, message: &'a Message) -> Text<'a> {
        self.messages.say(message)
    }

    /// A moment, which the script shows in the reader's own time zone.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn moment(&self, at: &Time) -> Moment<'a> {
        Moment(self.messages, *at)
    }

    /// A day, in UTC.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn day(&self, at: &Time) -> String {
        words::day(self.messages, *at)
    }

    /// The page's language tag.
    pub const fn lang(&self) -> &'static str {
        self.messages.locale().tag()
    }

    /// Every language, for the switch.
    pub(super) fn languages(&self) -> [Choice<'a>; Locale::ALL.len()] {
        Locale::ALL.map(|locale| {
            let name = self.messages.in_locale(locale).t("language-name");
            Choice { tag: locale.tag(), name, current: locale == self.messages.locale() }
        })
    }
}

/// A language to choose.
pub(super) struct Choice<'a> {
    pub(super) tag: &'static str,
    /// In that language.
    pub(super) name: Text<'a>,
    pub(super) current: bool,
}

/// A form field as it is shown: what the user typed, and what is wrong with it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Field<'a> {
    /// What the user typed; empty on a fresh form.
    pub value: &'a str,
    /// The reason why it cannot be accepted.
    pub error: Option<&'a Message>,
}
