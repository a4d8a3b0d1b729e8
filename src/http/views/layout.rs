//! The layout around the content of every page.

use super::markup::{Markup, TimeElement, TimeForm};
use crate::brand::Brand;
use crate::context::App;
use crate::html::BreakableText;
use crate::http::assets::Assets;
use crate::http::form::{PageSeal, ShownTo};
use crate::http::language::Language;
use crate::messages::{Catalog, Key, Locale, Message, Messages, Text};
use crate::model::mail_domain::in_letters;
use crate::model::placeholder_email::is_placeholder;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;
use std::borrow::Cow;
use std::fmt::Display;

/// The layout around the content of every page.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    pub brand: &'a Brand,
    /// Stylesheet, script and icon under their hashed names.
    pub assets: &'static Assets,
    pub catalog: &'a Catalog,
    pub messages: Messages<'a>,
    /// Where the language switch returns to: a path on this origin, or an accepted address. Without one there is no
    /// switch.
    pub return_path: &'a str,
    /// The origin of the service where another host shows the page; else nothing.
    pub origin: &'a str,
    pub viewer: Option<Viewer<'a>>,
    /// The current time, from which times such as `5 minutes ago` count.
    pub now: Time,
    /// Seals the field `page` of the forms; `None` where there are none.
    seal: Option<PageSeal<'a>>,
}

/// The logged-in user who views a page.
#[derive(Clone, Copy, Debug)]
pub struct Viewer<'a> {
    called: &'a str,
    /// Whether they have a platform role, and with it pages of administrators.
    pub(super) administers: bool,
}

impl<'a> Viewer<'a> {
    /// How the user is called, the domain of an address in letters.
    pub(super) fn name(&self) -> Cow<'a, str> {
        in_letters(self.called)
    }
}

impl<'a> Layout<'a> {
    pub fn new(app: &'a App, language: &'a Language) -> Self {
        let pages = &app.settings.pages;
        let now = app.clock.now();
        let layout = Self::from_parts(&pages.brand, pages.catalog(), language.locale, &language.return_path, now);
        Self { seal: Some(PageSeal::new(&app.secret_keys)), ..layout }
    }

    /// The layout from its parts, without a viewer and without forms.
    pub fn from_parts(brand: &'a Brand, catalog: &'a Catalog, locale: Locale, return_path: &'a str, now: Time) -> Self {
        let messages = catalog.messages(locale);
        let (assets, origin) = (Assets::of(brand.scheme), "");
        Self { brand, catalog, assets, messages, return_path, origin, viewer: None, now, seal: None }
    }

    /// Adds the logged-in user, if there is one, by how they are called.
    #[must_use]
    pub fn seen_by(self, called: Option<&'a str>) -> Self {
        Self { viewer: called.map(|called| Viewer { called, administers: false }), ..self }
    }

    /// Offers the viewer the pages of administrators, or not.
    #[must_use]
    pub fn with_administration(self, administers: bool) -> Self {
        Self { viewer: self.viewer.map(|viewer| Viewer { administers, ..viewer }), ..self }
    }

    /// Binds the forms to whom the page is shown.
    #[must_use]
    pub fn shown_to(self, viewer: impl Into<ShownTo>) -> Self {
        let viewer = viewer.into();
        Self { seal: self.seal.map(|seal| seal.shown_to(viewer)), ..self }
    }

    /// The field `page` of the form with this action (docs/reference/browser.md 4.6).
    pub(super) fn page(&self, action: impl Display) -> String {
        self.seal.map(|seal| seal.value(&action.to_string(), self.now)).unwrap_or_default()
    }

    /// What people agree to by signing up, with links to the operator's pages.
    pub(super) fn agreement(&self) -> Option<Markup<'a>> {
        let links = &self.brand.links;
        let (terms, privacy) = (self.t("sign-up-terms"), self.t("sign-up-privacy"));
        match (&links.terms, &links.privacy) {
            (Some(terms_url), Some(privacy_url)) => {
                let text = self.html("sign-up-agree").link("terms", terms_url, terms);
                Some(text.link("privacy", privacy_url, privacy))
            }
            (Some(url), None) => Some(self.html("sign-up-agree-terms").link("terms", url, terms)),
            (None, Some(url)) => Some(self.html("sign-up-agree-privacy").link("privacy", url, privacy)),
            (None, None) => None,
        }
    }

    /// The message of this key; [`Text::with`] sets its arguments.
    pub fn t(&self, key: impl Into<Key>) -> Text<'a> {
        self.messages.t(key)
    }

    /// The message of this key as HTML, with marked-up arguments.
    pub fn html(&self, key: impl Into<Key>) -> Markup<'a> {
        Markup::new(self.messages, key.into())
    }

    /// The text of a message that a use case returned.
    pub fn message(&self, message: &'a Message) -> Text<'a> {
        self.messages.resolve(message)
    }

    /// A past time, such as `5 minutes ago`.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn ago(&self, at: &Time) -> TimeElement<'a> {
        TimeElement { messages: self.messages, at: *at, form: TimeForm::Ago(self.now) }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn moment(&self, at: &Time) -> TimeElement<'a> {
        TimeElement { messages: self.messages, at: *at, form: TimeForm::Moment }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn day(&self, at: &Time) -> TimeElement<'a> {
        TimeElement { messages: self.messages, at: *at, form: TimeForm::Day }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(super) fn clock(&self, at: &Time) -> TimeElement<'a> {
        TimeElement { messages: self.messages, at: *at, form: TimeForm::Clock }
    }

    /// What [`Layout::address`] says, for attributes and within sentences.
    pub(super) fn address_text(&self, email: &str) -> String {
        if is_placeholder(email) { self.t("no-address").to_string() } else { in_letters(email).into_owned() }
    }

    /// What stands for a picture of who or what has this name: the first letters of its first two words, the domain of
    /// an address aside.
    #[expect(clippy::unused_self, reason = "templates ask the layout")]
    pub(super) fn initials(&self, name: impl AsRef<str>) -> String {
        let name = name.as_ref();
        let local = name.rsplit_once('@').map_or(name, |(local, _)| local);
        let words = local.split(|c: char| !c.is_alphanumeric());
        words.filter_map(|word| word.chars().next()).take(2).flat_map(char::to_uppercase).collect()
    }

    /// An email address, its domain in letters, or the words for an account that has none.
    pub(super) fn address(&self, email: &str) -> BreakableText {
        self.breakable(self.address_text(email))
    }

    /// What [`Layout::address`] says of a person's.
    pub(super) fn address_of(&self, label: &UserLabel<'_>) -> BreakableText {
        label.email.map_or_else(|| self.breakable(self.t("no-address")), |email| self.address(email))
    }

    /// How a person is called, the domain of an address in letters.
    pub(super) fn called(&self, called: &str) -> BreakableText {
        self.breakable(in_letters(called))
    }

    /// A person of whom the reader may know nothing yet: the display name with the account that has it. Isolates (U+2068,
    /// U+2069) keep letters from right to left from moving the account.
    pub(super) fn label(&self, label: &UserLabel<'_>) -> BreakableText {
        let account = in_letters(label.account());
        match label.name {
            Some(name) => self.breakable(
                self.t("person-named")
                    .with("name", format!("\u{2068}{name}\u{2069}"))
                    .with("account", account.into_owned()),
            ),
            None => self.breakable(account),
        }
    }

    /// A username or the like, which may be longer than a line.
    #[expect(clippy::unused_self, reason = "templates ask the layout")]
    pub(super) fn breakable(&self, text: impl Display) -> BreakableText {
        BreakableText(text.to_string())
    }

    pub fn lang(&self) -> &str {
        self.messages.locale_ref().tag()
    }

    /// Whether the page is written from right to left.
    pub fn is_right_to_left(&self) -> bool {
        self.messages.locale().is_right_to_left()
    }

    /// The items of the language switch; none where one language is offered, or the way back is not known.
    pub(super) fn languages(&self) -> Vec<LanguageChoice<'a>> {
        let offered = self.catalog.languages();
        let choice = |locale: &'a Locale| {
            let name = self.messages.in_locale(*locale).t("language-name");
            LanguageChoice { tag: locale.tag(), name, current: *locale == self.messages.locale() }
        };
        if offered.len() > 1 && !self.return_path.is_empty() {
            offered.iter().map(choice).collect()
        } else {
            Vec::new()
        }
    }
}

pub(super) struct LanguageChoice<'a> {
    pub(super) tag: &'a str,
    pub(super) name: Text<'a>,
    pub(super) current: bool,
}

impl LanguageChoice<'_> {
    /// What narrow pages show of it: `EN`, or `PT-BR`.
    pub(super) fn code(&self) -> String {
        self.tag.to_uppercase()
    }
}

/// A form field: its value and its error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Field<'a> {
    /// What the user typed; empty in a new form.
    pub value: &'a str,
    pub error: Option<&'a Message>,
}
