//! A sentence that is said later, in the language of whoever reads it.

use super::key::Key;
use fluent_bundle::FluentValue;

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
