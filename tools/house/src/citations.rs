//! Citations of documents that are not in the repository.

use crate::location::Location;
use crate::repository::Repository;
use crate::text::{has_extension, words};
use std::collections::BTreeSet;

/// A text that refers to a document that a reader cannot find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The line.
    pub at: Location,
    /// The phrase or path that was found.
    pub cited: String,
}

/// Words that cite such a document, in lower case. `#` stands for a number.
const PHRASES: &[&str] = &[
    "contract.md",
    "contract-2.md",
    "interface.md",
    "design.md",
    "contract #",
    "contract §",
    "the contract",
    "issue #",
];

/// The citations in all text files: the phrases above in any case, paths `docs/….md`, and the links of Markdown files
/// to Markdown files, where there is no such file.
pub fn citations(repository: &Repository) -> Vec<Citation> {
    let mut citations = Vec::new();
    for (path, text) in repository.texts() {
        for (index, line) in text.lines().enumerate() {
            let phrases = phrases(line).into_iter();
            let missing = documents(path, line).into_iter().filter(|document| repository.text(document).is_none());
            let at = Location::new(path, index + 1);
            citations.extend(phrases.chain(missing).map(|cited| Citation { at: at.clone(), cited }));
        }
    }
    citations
}

fn phrases(line: &str) -> Vec<String> {
    let line = line.to_lowercase();
    PHRASES.iter().filter(|phrase| holds(&line, phrase)).map(ToString::to_string).collect()
}

fn holds(line: &str, phrase: &str) -> bool {
    let Some(words_before) = phrase.strip_suffix('#') else { return words(line, phrase).next().is_some() };
    words(line, words_before).any(|start| line[start + words_before.len()..].starts_with(|c: char| c.is_ascii_digit()))
}

/// The paths of documents that a line of a file names, from the repository's root.
fn documents(file: &str, line: &str) -> BTreeSet<String> {
    let mut documents: BTreeSet<String> = mentions(line).collect();
    if has_extension(file, "md") {
        let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        documents.extend(links(line).map(|link| normalized(&format!("{folder}/{link}"))));
    }
    documents
}

/// Paths as `docs/events.md`, also behind `../`.
fn mentions(line: &str) -> impl Iterator<Item = String> {
    let is_path = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    let parts = line.split(move |c| !is_path(c)).map(|part| part.trim_matches(['.', '/']));
    parts.filter(|part| part.starts_with("docs/") && has_extension(part, "md")).map(str::to_owned)
}

/// The targets of Markdown links to Markdown files of the repository.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
    targets.filter(|target| has_extension(target, "md") && !target.contains("://"))
}

/// The path without `.` and `..`.
fn normalized(path: &str) -> String {
    let mut segments = Vec::new();
    for segment in path.split('/') {
        match segment {
            "." | "" => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    segments.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cited(path: &str, text: &str) -> Vec<String> {
        let repository = Repository::from_texts([(path, text), ("docs/events.md", ""), ("README.md", "")]);
        citations(&repository).into_iter().map(|citation| format!("{} {}", citation.at.line, citation.cited)).collect()
    }

    #[test]
    fn phrases_are_found_in_any_case() {
        let text = "// Contract 7, and The contract.\n// contract-2.md (Issue 4), contract §2\n// contracts, the contractor, issue four";
        assert_eq!(
            cited("src/a.rs", text),
            ["1 contract #", "1 the contract", "2 contract-2.md", "2 contract §", "2 issue #"]
        );
    }

    #[test]
    fn existing_documents_are_not_reported() {
        assert_eq!(cited("src/a.rs", "//! See `docs/events.md`, docs/gone.md."), ["1 docs/gone.md"]);
        assert_eq!(cited("docs/a.md", "[a](events.md#x) [b](../README.md) [c](https://a.b/c.md)"), [""; 0]);
        assert_eq!(cited("docs/a.md", "[a](docs/events.md) [b](b.md)"), ["1 docs/b.md", "1 docs/docs/events.md"]);
    }
}
