//! Parsed source files.

use crate::repository::Repository;
use crate::test_code;
use std::io;
use syn::Item;

/// A parsed file of a package's `src`.
pub struct Source {
    /// The path from the repository's root.
    pub path: String,
    /// The items outside test code.
    pub(crate) code: Vec<Item>,
    /// The test code.
    pub(crate) tests: Vec<Item>,
}

/// Parses the Rust files in the given folders, which are written as `src/`, sorted by path.
pub fn parse(repository: &Repository, folders: &[&str]) -> io::Result<Vec<Source>> {
    repository.rust(folders).map(|(path, text)| Source::parse(path, text)).collect()
}

impl Source {
    fn parse(path: &str, text: &str) -> io::Result<Self> {
        let mut file = parse_file(path, text)?;
        let mut tests = test_code::split_off(&mut file);
        if is_test_file(path) {
            tests.append(&mut file.items);
        }
        Ok(Self { path: path.to_owned(), code: file.items, tests })
    }
}

/// Whether a file holds only test code, by its name: `x_tests.rs`, `tests.rs`, `testing.rs`, `test_x.rs`, `tests/x.rs`.
pub fn is_test_file(path: &str) -> bool {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.trim_end_matches(".rs");
    stem.ends_with("_tests")
        || stem.starts_with("test_")
        || ["tests", "testing"].contains(&stem)
        || folder.split('/').any(|folder| folder == "tests")
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

    #[test]
    fn file_of_tests_is_test_code() {
        for path in ["src/a_tests.rs", "src/a/tests.rs", "src/a/testing.rs", "src/test_keys.rs", "src/tests/a.rs"] {
            let source = Source::parse(path, "fn sample() {}").unwrap();
            assert_eq!((source.code.len(), source.tests.len()), (0, 1), "{path}");
        }
        assert_eq!(Source::parse("src/latest.rs", "fn f() {}").unwrap().code.len(), 1);
    }
}
