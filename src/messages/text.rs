//! Messages in the reader's language.

use super::argument::Argument;
use super::key::Key;
use super::locale::Locale;
use super::message::Message;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::fmt;

/// The parsed message files, one for each language.
pub(super) struct Bundles {
    pub(super) english: FluentBundle<FluentResource>,
    pub(super) german: FluentBundle<FluentResource>,
}

impl Bundles {
    pub(super) const fn of(&self, locale: Locale) -> &FluentBundle<FluentResource> {
        match locale {
            Locale::En => &self.english,
            Locale::De => &self.german,
        }
    }
}

/// The messages in one language.
#[derive(Clone, Copy)]
pub struct Messages<'a> {
    bundles: &'a Bundles,
    locale: Locale,
}

impl<'a> Messages<'a> {
    pub(super) const fn new(bundles: &'a Bundles, locale: Locale) -> Self {
        Self { bundles, locale }
    }

    /// The language.
    pub const fn locale(self) -> Locale {
        self.locale
    }

    /// The same messages in another language.
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

    /// Writes a message; falls back to English, then to the id.
    fn write(self, out: &mut impl fmt::Write, key: Key, arguments: &FluentArgs<'_>) -> fmt::Result {
        for locale in [self.locale, Locale::En] {
            let bundle = self.bundles.of(locale);
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
