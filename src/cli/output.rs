//! What a command prints: text for people, one JSON document for programs.

use super::Failure;
use serde_json::Value;
use std::io::Write;

/// Where a command's result goes, and in which form.
pub struct Output<W: Write> {
    out: W,
    json: bool,
}

impl<W: Write> Output<W> {
    /// Writes to `out`.
    pub fn new(out: W, json: bool) -> Self {
        Self { out, json }
    }

    /// Writes one of a stream of results: a line of JSON, or text.
    pub fn item(&mut self, json: &Value, text: &str) -> Result<(), Failure> {
        let written = if self.json { writeln!(self.out, "{json}") } else { writeln!(self.out, "{text}") };
        written.and_then(|()| self.out.flush()).map_err(Failure::Output)
    }

    /// Writes the result in the form asked for.
    pub fn result(&mut self, json: &Value, text: &str) -> Result<(), Failure> {
        let written = if self.json { writeln!(self.out, "{json:#}") } else { writeln!(self.out, "{text}") };
        written.and_then(|()| self.out.flush()).map_err(Failure::Output)
    }
}
