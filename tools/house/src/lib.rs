//! Facts about the source text of this repository, for its tests: types that share a name, documents that are cited and
//! absent, private words, tests that sleep.
//!
//! [`Repository`] holds the text files, [`Source`] a parsed one. Each fact is a function from these to plain data.

mod citations;
mod homonyms;
mod lexer;
mod location;
mod repository;
mod sleeps;
mod source;
mod test_code;
mod text;
mod word_count;
mod words;

pub use citations::{Citation, citations};
pub use homonyms::{Homonym, public_homonyms};
pub use location::Location;
pub use repository::Repository;
pub use sleeps::fixed_sleeps;
pub use source::{Source, is_test_file, parse};
pub use word_count::{WordUse, private_words};
pub use words::{WORDS, Word, WordKind};
