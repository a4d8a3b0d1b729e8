//! The parsed source files of a crate.

use crate::repository::Repository;
use crate::source::Source;
use crate::tree::Tree;
use std::io;
use std::path::Path;

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
    fn dash_in_crate_name_becomes_underscore() {
        let repository = Repository::from_texts([("Cargo.toml", "[package]\nname = \"door-ward\"\n")]);
        assert_eq!(crate_name(&repository), "door_ward");
    }
}
