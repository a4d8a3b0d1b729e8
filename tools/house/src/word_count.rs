//! Counts the private words.

use crate::lexer::{Piece, pieces};
use crate::location::Location;
use crate::repository::Repository;
use crate::text;
use crate::words::{WORDS, Word, WordKind};

/// The folders whose Rust files are searched.
const FOLDERS: &[&str] = &["src/", "tests/", "bench/", "benches/", "examples/"];

/// The keywords in front of the name of a type.
const TYPE_KEYWORDS: &[&str] = &["enum", "struct", "trait", "type", "union"];

/// A private word and where it is used.
#[derive(Clone, Debug)]
pub struct WordUse {
    /// The row of the table.
    pub word: &'static Word,
    /// The uses, by file and line.
    pub places: Vec<Location>,
}

/// The private words that are used in the identifiers and comments of src, tests, bench and examples. Literals
/// are not searched: a database table keeps its name.
pub fn private_words(repository: &Repository) -> Vec<WordUse> {
    let mut uses: Vec<WordUse> = WORDS.iter().map(|word| WordUse { word, places: Vec::new() }).collect();
    for (path, text) in repository.rust(FOLDERS) {
        let lines = Lines::of(text);
        for found in &mut uses {
            if found.word.places.is_empty() || found.word.places.iter().any(|place| path.starts_with(place)) {
                let places = lines.of_word(found.word).into_iter().map(|line| Location::new(path, line));
                found.places.extend(places);
            }
        }
    }
    uses.retain(|found| !found.places.is_empty());
    uses
}

/// The identifiers and comments of a file.
struct Lines<'a> {
    names: Vec<Name<'a>>,
    comments: Vec<Comment>,
}

/// A line of a comment in lower case.
struct Comment {
    line: usize,
    /// Without the line that is joined to it.
    length: usize,
    joined: String,
}

struct Name<'a> {
    line: usize,
    text: &'a str,
    is_type_definition: bool,
    is_macro: bool,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let (mut names, mut comments) = (Vec::new(), Vec::new());
        let (mut line, mut counted, mut previous) = (1, 0, "");
        for (start, piece) in pieces(text) {
            line += text[counted..start].matches('\n').count();
            counted = start;
            match piece {
                Piece::Comment(comment) => comments.push((line, comment.to_lowercase())),
                Piece::Identifier(name) => {
                    let rest = &text[start + name.len()..];
                    let is_macro = previous == "macro_rules" || rest.starts_with('!') && !rest.starts_with("!=");
                    let is_type_definition = TYPE_KEYWORDS.contains(&previous);
                    names.push(Name { line, text: name, is_type_definition, is_macro });
                    previous = name;
                }
            }
        }
        Self { names, comments: joined(&comments) }
    }

    fn of_word(&self, word: &Word) -> Vec<usize> {
        let (name, is_macro) = word.word.strip_suffix('!').map_or((word.word, false), |name| (name, true));
        let names = self.names.iter().filter(|found| match word.kind {
            WordKind::Prose => false,
            WordKind::Type => found.is_type_definition && found.text == name,
            WordKind::Name | WordKind::Both => found.text == name && (found.is_macro || !is_macro),
        });
        let mut lines: Vec<usize> = names.map(|name| name.line).collect();
        if matches!(word.kind, WordKind::Prose | WordKind::Both) {
            lines.extend(self.in_comments(&word.word.to_lowercase()));
            lines.sort_unstable();
        }
        lines
    }

    /// The lines of the comments in which the words begin, once for each occurrence.
    fn in_comments(&self, words: &str) -> Vec<usize> {
        let starts = |comment: &Comment| text::words(&comment.joined, words).filter(|&at| at < comment.length).count();
        self.comments.iter().flat_map(|comment| std::iter::repeat_n(comment.line, starts(comment))).collect()
    }
}

/// Joins each line of a comment with the next one, as words may cross the end of a line.
fn joined(lines: &[(usize, String)]) -> Vec<Comment> {
    let next = |index: usize, line: usize| lines.get(index + 1).filter(|(next, _)| *next == line + 1);
    let join = |(index, (line, text)): (usize, &(usize, String))| {
        let next = next(index, *line).map_or("", |(_, text)| text.trim_start_matches(['/', '!', '*', ' ']));
        Comment { line: *line, length: text.len(), joined: format!("{text} {next}") }
    };
    lines.iter().enumerate().map(join).collect()
}

#[cfg(test)]
#[path = "word_count_tests.rs"]
mod tests;
