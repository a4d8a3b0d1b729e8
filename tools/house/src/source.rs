//! The parsed source files of a crate.

use crate::repository::Repository;
use crate::test_code;
use crate::tree::Tree;
use std::io;
use std::path::Path;
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
    fn parse(path: &str, text: &str) -> io::Result<Self> {
        let mut file = parse_file(path, text)?;
        let tests = test_code::split_off(&mut file);
        Ok(Self { path: path.to_owned(), lines: text.lines().count(), is_test: false, code: file.items, tests })
    }

    /// The top module of the file: the first segment of its path below `src`, without `.rs`.
    pub fn top_module(&self) -> &str {
        top_module(&self.path)
    }
}

/// The parsed sources of the crate in the folder `src`.
pub struct Crate {
    /// All files, sorted by path.
    pub sources: Vec<Source>,
    pub(crate) tree: Tree,
}

impl Crate {
    /// Reads the crate whose `Cargo.toml` is in `root`.
    pub fn read(root: &Path) -> io::Result<Self> {
        Self::parse(&Repository::read(root)?)
    }

    /// Parses the crate in the root of a repository.
    pub fn parse(repository: &Repository) -> io::Result<Self> {
        let sources = repository.rust(&["src/"]).map(|(path, text)| Source::parse(path, text));
        let mut sources = sources.collect::<io::Result<Vec<_>>>()?;
        let tree = Tree::build(&crate_name(repository), &sources);
        for (index, source) in sources.iter_mut().enumerate() {
            if tree.is_test_file(index) {
                source.is_test = true;
                source.tests.append(&mut source.code);
            }
        }
        Ok(Self { sources, tree })
    }
}

/// Parses a Rust file; the error names the place.
pub(crate) fn parse_file(path: &str, text: &str) -> io::Result<syn::File> {
    let located = |error: syn::Error| format!("{path}:{}: {error}", error.span().start().line);
    syn::parse_file(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, located(error)))
}

/// The top module that a path such as `src/store/users.rs` belongs to.
pub(crate) fn top_module(path: &str) -> &str {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    let first = inside.split('/').next().unwrap_or(inside);
    first.strip_suffix(".rs").unwrap_or(first)
}

/// The name by which other crates import the package; the first `name` in `Cargo.toml`.
fn crate_name(repository: &Repository) -> String {
    let manifest = repository.text("Cargo.toml").unwrap_or_default();
    let name = manifest.lines().find_map(|line| line.strip_prefix("name")?.trim_start().strip_prefix('='));
    name.unwrap_or_default().trim().trim_matches('"').replace('-', "_")
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;

    #[test]
    fn syntax_error_is_reported_with_location() {
        let repository = Repository::from_texts([("src/lib.rs", "fn ok() {}\nfn 1")]);
        let error = Crate::parse(&repository).err().unwrap().to_string();
        assert!(error.starts_with("src/lib.rs:2: "), "{error}");
    }

    #[test]
    fn file_of_test_module_is_test_code() {
        let repository = Repository::from_texts([
            ("src/lib.rs", "#[cfg(test)] mod samples;"),
            ("src/samples.rs", "mod deep;"),
            ("src/samples/deep.rs", "fn sample() {}"),
        ]);
        let krate = Crate::parse(&repository).unwrap();
        assert_eq!(krate.sources.iter().map(|source| source.code.len()).collect::<Vec<_>>(), [0, 0, 0]);
    }

    #[test]
    fn top_module_is_first_path_segment() {
        assert_eq!(top_module("src/app.rs"), "app");
        assert_eq!(top_module("src/store/sqlite/mod.rs"), "store");
    }

    #[test]
    fn dash_in_crate_name_becomes_underscore() {
        let repository = Repository::from_texts([("Cargo.toml", "[package]\nname = \"door-ward\"\n")]);
        assert_eq!(crate_name(&repository), "door_ward");
    }
}
