//! Messages in the reader's language.

use super::argument::Argument;
use super::locale::Locale;
use super::message::{Key, Message};
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::fmt;

/// The parsed messages of each language: a few, so that they are searched and not hashed.
pub(super) struct Bundles(pub(super) Vec<(Locale, FluentBundle<FluentResource>)>);

impl Bundles {
    pub(super) fn of(&self, locale: Locale) -> Option<&FluentBundle<FluentResource>> {
        self.0.iter().find(|(of, _)| *of == locale).map(|(_, bundle)| bundle)
    }

    /// The messages of a language, then those that stand in for what it lacks: of the language without its region, and
    /// English.
    fn in_order(&self, locale: Locale) -> impl Iterator<Item = &FluentBundle<FluentResource>> {
        let general = move || Locale::parse(locale.primary()).and_then(|general| self.of(general));
        let rest = std::iter::once_with(general).chain(std::iter::once_with(|| self.of(Locale::ENGLISH)));
        std::iter::once(self.of(locale)).chain(rest).flatten()
    }
}

#[derive(Clone, Copy)]
pub struct Messages<'a> {
    bundles: &'a Bundles,
    locale: Locale,
}

impl<'a> Messages<'a> {
    pub(super) const fn new(bundles: &'a Bundles, locale: Locale) -> Self {
        Self { bundles, locale }
    }

    pub const fn locale(self) -> Locale {
        self.locale
    }

    /// The language, borrowed for its tag.
    pub const fn locale_ref(&self) -> &Locale {
        &self.locale
    }

    #[must_use]
    pub const fn in_locale(self, locale: Locale) -> Self {
        Self { locale, ..self }
    }

    /// The message with this id; [`Text::with`] sets its variables.
    pub fn t(self, key: impl Into<Key>) -> Text<'a> {
        Text { messages: self, key: key.into(), arguments: FluentArgs::new() }
    }

    /// A message that a use case returned.
    pub fn resolve(self, message: &'a Message) -> Text<'a> {
        let mut arguments = FluentArgs::new();
        for (name, value) in message.arguments() {
            arguments.set(name, value);
        }
        Text { messages: self, key: message.key(), arguments }
    }

    /// Writes a message, in English where the language lacks it; the id if there is none.
    fn write(self, out: &mut impl fmt::Write, key: Key, arguments: &FluentArgs<'_>) -> fmt::Result {
        for bundle in self.bundles.in_order(self.locale) {
            if let Some(pattern) = bundle.get_message(key.0).and_then(|message| message.value()) {
                // A variable without a value shows its name; tests find it.
                return bundle.write_pattern(out, pattern, Some(arguments), &mut Vec::new());
            }
        }
        out.write_str(key.0)
    }
}

impl fmt::Debug for Messages<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Messages").field(&self.locale).finish()
    }
}

/// A message with its arguments; displays in the reader's language.
pub struct Text<'a> {
    messages: Messages<'a>,
    key: Key,
    arguments: FluentArgs<'a>,
}

impl<'a> Text<'a> {
    /// With a value for `{ $name }`.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Argument<'a>) -> Self {
        self.arguments.set(name, value.value());
        self
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.messages.write(f, self.key, &self.arguments)
    }
}

impl<'a> Argument<'a> for Text<'_> {
    fn value(&self) -> FluentValue<'a> {
        FluentValue::from(self.to_string())
    }
}
