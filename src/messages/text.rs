//! A sentence on its way into a page.

use super::argument::Argument;
use super::catalog::Messages;
use super::message::Key;
use fluent_bundle::FluentArgs;
use std::fmt;

/// A sentence on its way into a page: displays in the reader's language.
pub struct Text<'a> {
    messages: Messages<'a>,
    key: Key,
    arguments: FluentArgs<'a>,
}

impl<'a> Text<'a> {
    pub(super) fn new(messages: Messages<'a>, key: Key, arguments: FluentArgs<'a>) -> Self {
        Self { messages, key, arguments }
    }

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
