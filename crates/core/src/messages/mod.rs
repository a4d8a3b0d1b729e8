//! The texts of pages and emails, from `messages/*.ftl` (Fluent), one file for each language.
//!
//! A [`Catalog`] holds all languages, parsed once; [`Messages`] looks messages up in one of them. [`Text`] is a message
//! with its arguments, to be displayed in a page; [`Message`] is one that a use case returns, without a language.

mod argument;
mod catalog;
mod locale;
mod message;
mod overrides;
mod source;
mod text;

pub use argument::Argument;
pub use catalog::Catalog;
pub use locale::Locale;
pub use message::{Key, Message};
pub use text::{Messages, Text};

#[cfg(test)]
mod tests;
