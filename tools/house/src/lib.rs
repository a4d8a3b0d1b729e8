//! Facts about the structure of a Rust crate: the imports between its files, their order and their circles, types that
//! share a name, lengths, and a few properties of the text.
//!
//! [`Repository`] holds the text files, [`Crate`] the parsed sources. Each fact is a function from these to plain data.
//! [`report()`] collects all of them.

mod circles;
mod citations;
mod homonyms;
mod imports;
mod krate;
mod lengths;
mod lexer;
mod locals;
mod location;
mod module_files;
mod order;
mod order_file;
mod paths;
mod report;
mod repository;
mod resolve;
mod scope;
mod sleeps;
mod source;
mod test_code;
mod text;
mod tokens;
mod tree;
mod tuples;
mod use_tree;
mod word_count;
mod words;

pub use circles::circles;
pub use citations::{Citation, citations};
pub use homonyms::{Definition, Homonym, homonyms, public_homonyms};
pub use imports::{Import, imports};
pub use krate::Crate;
pub use lengths::{Length, file_lengths, function_lengths, median};
pub use location::Location;
pub use order::{Order, order};
pub use order_file::read_order;
pub use report::{Report, report};
pub use repository::Repository;
pub use sleeps::fixed_sleeps;
pub use source::Source;
pub use tuples::tuple_parameters;
pub use word_count::{WordUse, private_words};
pub use words::{WORDS, Word, WordKind};
