//! Where a fact was found.

use std::fmt;

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The path of the file from the repository's root.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

impl Location {
    /// A line of a file.
    pub fn new(file: impl Into<String>, line: usize) -> Self {
        Self { file: file.into(), line }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
