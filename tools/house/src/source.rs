//! A parsed source file.

use crate::test_code;
use std::io;
use syn::Item;

/// A parsed file of `src/`.
pub struct Source {
    /// The path from the repository's root.
    pub path: String,
    /// The number of lines of the whole file.
    pub lines: usize,
    /// Whether all of it is test code.
    pub is_test: bool,
    /// The items outside test code.
    pub(crate) code: Vec<Item>,
    /// The test code.
    pub(crate) tests: Vec<Item>,
}

impl Source {
    pub(crate) fn parse(path: &str, text: &str) -> io::Result<Self> {
        let mut file = parse_file(path, text)?;
        let tests = test_code::split_off(&mut file);
        Ok(Self { path: path.to_owned(), lines: text.lines().count(), is_test: false, code: file.items, tests })
    }
}

/// Parses a Rust file; the error names the place.
pub(crate) fn parse_file(path: &str, text: &str) -> io::Result<syn::File> {
    let located = |error: syn::Error| format!("{path}:{}: {error}", error.span().start().line);
    syn::parse_file(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, located(error)))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;

    #[test]
    fn syntax_error_is_reported_with_location() {
        let error = Source::parse("src/lib.rs", "fn ok() {}\nfn 1").err().unwrap().to_string();
        assert!(error.starts_with("src/lib.rs:2: "), "{error}");
    }
}
