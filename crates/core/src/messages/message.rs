//! The id of a message, and a message that is not resolved yet.

use fluent_bundle::FluentValue;

/// The id of a message in the message files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub &'static str);

impl From<&'static str> for Key {
    fn from(id: &'static str) -> Self {
        Key(id)
    }
}

impl From<&Key> for Key {
    fn from(key: &Key) -> Self {
        *key
    }
}

/// A message that is not resolved yet: use cases return it as a reason, without knowing the reader's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    key: Key,
    arguments: Vec<(&'static str, MessageValue)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum MessageValue {
    Number(usize),
    Text(String),
}

impl Message {
    /// The message with this id, without arguments.
    pub const fn new(key: &'static str) -> Self {
        Self { key: Key(key), arguments: Vec::new() }
    }

    /// With a number for `{ $name }`.
    #[must_use]
    pub fn number(mut self, name: &'static str, number: usize) -> Self {
        self.arguments.push((name, MessageValue::Number(number)));
        self
    }

    /// With a text for `{ $name }`.
    #[must_use]
    pub fn text(mut self, name: &'static str, text: impl Into<String>) -> Self {
        self.arguments.push((name, MessageValue::Text(text.into())));
        self
    }

    /// The id of its text in the message files.
    pub const fn id(&self) -> &'static str {
        self.key.0
    }

    pub(super) const fn key(&self) -> Key {
        self.key
    }

    pub(super) fn arguments(&self) -> impl Iterator<Item = (&'static str, FluentValue<'_>)> {
        self.arguments.iter().map(|(name, value)| {
            let value = match value {
                MessageValue::Number(number) => FluentValue::from(*number),
                MessageValue::Text(text) => FluentValue::from(text.as_str()),
            };
            (*name, value)
        })
    }
}
