//! Reads the text files of a repository.

use crate::text::has_extension;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fs, io};

/// The kinds of file that are read; everything else is ignored.
const EXTENSIONS: &[&str] = &["rs", "md", "html", "toml", "sh", "ftl", "css", "js"];

/// Folders that are not searched. This crate names every forbidden word itself, so it is skipped too.
const SKIPPED: &[&str] = &["target", ".git", "node_modules", "tools/house"];

/// The text files of a repository, by their path from its root, written with `/`.
#[derive(Debug, Default)]
pub struct Repository {
    texts: BTreeMap<String, String>,
}

impl Repository {
    /// Reads the repository at `root`. Symbolic links are not followed, files that are not UTF-8 are ignored.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut repository = Self::default();
        repository.read_folder(root, "")?;
        Ok(repository)
    }

    /// Makes a repository from pairs of path and text.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let texts = texts.into_iter().map(|(path, text)| (path.to_owned(), text.to_owned()));
        Self { texts: texts.collect() }
    }

    /// The text of one file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.texts.get(path).map(String::as_str)
    }

    /// All files as path and text, sorted by path.
    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The Rust files in the given folders, which are written as `src/`.
    pub fn rust<'a>(&'a self, folders: &'a [&str]) -> impl Iterator<Item = (&'a str, &'a str)> {
        let in_folders = |path: &str| folders.iter().any(|folder| path.starts_with(folder));
        self.texts().filter(move |(path, _)| has_extension(path, "rs") && in_folders(path))
    }

    fn read_folder(&mut self, folder: &Path, path: &str) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let path = if path.is_empty() { name } else { format!("{path}/{name}") };
            let kind = entry.file_type()?;
            if kind.is_dir() && !SKIPPED.contains(&path.as_str()) {
                self.read_folder(&entry.path(), &path)?;
            } else if kind.is_file() && EXTENSIONS.iter().any(|extension| has_extension(&path, extension)) {
                self.read_file(&entry.path(), path)?;
            }
        }
        Ok(())
    }

    fn read_file(&mut self, file: &Path, path: String) -> io::Result<()> {
        if let Ok(text) = String::from_utf8(fs::read(file)?) {
            self.texts.insert(path, text);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

    use super::*;

    #[test]
    fn skipped_folders_are_not_read() {
        let root = std::env::temp_dir().join(format!("house-repository-{}", std::process::id()));
        for file in ["src/lib.rs", "target/debug/a.rs", "tools/house/src/lib.rs", "docs/a.md", "logo.png"] {
            let file = root.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "text").unwrap();
        }
        let repository = Repository::read(&root).unwrap();
        fs::remove_dir_all(&root).unwrap();
        let paths: Vec<&str> = repository.texts().map(|(path, _)| path).collect();
        assert_eq!(paths, ["docs/a.md", "src/lib.rs"]);
    }
}
