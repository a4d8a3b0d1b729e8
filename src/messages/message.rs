//! A sentence that is said later, in the language of whoever reads it.

use super::catalog::Catalog;
use super::locale::Locale;
use fluent_bundle::FluentValue;

/// The name of a sentence in the message files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub &'static str);

impl From<&'static str> for Key {
    fn from(name: &'static str) -> Self {
        Key(name)
    }
}

impl From<&Key> for Key {
    fn from(key: &Key) -> Self {
        *key
    }
}

/// A sentence that is said later: use cases give their reasons so, and do not know the reader's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    key: Key,
    arguments: Vec<(&'static str, Value)>,
}

/// What fills a gap of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Number(usize),
    Text(String),
}

impl Message {
    /// The sentence of this name, without arguments.
    pub const fn new(key: &'static str) -> Self {
        Self { key: Key(key), arguments: Vec::new() }
    }

    /// With a number for `{ $name }`.
    #[must_use]
    pub fn number(mut self, name: &'static str, number: usize) -> Self {
        self.arguments.push((name, Value::Number(number)));
        self
    }

    /// With a text for `{ $name }`.
    #[must_use]
    pub fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.arguments.push((name, Value::Text(text.into())));
        self
    }

    /// The sentence in English, for the command line and the log.
    pub fn english(&self) -> String {
        Catalog::embedded().messages(Locale::En).say(self).to_string()
    }

    /// Its name.
    pub(super) const fn key(&self) -> Key {
        self.key
    }

    /// Its arguments.
    pub(super) fn arguments(&self) -> impl Iterator<Item = (&'static str, FluentValue<'_>)> {
        self.arguments.iter().map(|(name, value)| {
            let value = match value {
                Value::Number(number) => FluentValue::from(*number),
                Value::Text(text) => FluentValue::from(text.as_str()),
            };
            (*name, value)
        })
    }
}
