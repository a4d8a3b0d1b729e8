//! What people read: every sentence of the pages stands in `messages/*.ftl` (Fluent), one file for each language.
//!
//! A [`Catalog`] holds the languages, parsed once; [`Messages`] looks up in one of them. [`Text`] is a sentence on its
//! way into a page, [`Message`] one that a use case answers with before anybody knows who will read it.

mod argument;
mod catalog;
mod key;
mod locale;
mod message;
mod overrides;
mod source;
mod text;

pub use argument::Argument;
pub use catalog::Catalog;
pub use key::Key;
pub use locale::Locale;
pub use message::Message;
pub use text::{Messages, Text};

#[cfg(test)]
mod tests;
