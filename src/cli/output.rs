//! The output of a command: text or JSON.

use super::failure::Failure;
use serde::Serialize;
use std::io::Write;

/// Writes a command's result in the requested format.
pub struct Output<W: Write> {
    out: W,
    json: bool,
}

impl<W: Write> Output<W> {
    /// Writes to `out`.
    pub fn new(out: W, json: bool) -> Self {
        Self { out, json }
    }

    /// Writes one item of a stream of results: a line of JSON, or text.
    pub fn item(&mut self, json: &impl Serialize, text: &str) -> Result<(), Failure> {
        let json = if self.json { Some(serde_json::to_string(json)) } else { None };
        self.write(json, text)
    }

    /// Writes the result: a JSON document, or text.
    pub fn result(&mut self, json: &impl Serialize, text: &str) -> Result<(), Failure> {
        let json = if self.json { Some(serde_json::to_string_pretty(json)) } else { None };
        self.write(json, text)
    }

    fn write(&mut self, json: Option<serde_json::Result<String>>, text: &str) -> Result<(), Failure> {
        let json = json.transpose().map_err(|error| Failure::Output(error.into()))?;
        let text = json.as_deref().unwrap_or(text);
        writeln!(self.out, "{text}").and_then(|()| self.out.flush()).map_err(Failure::Output)
    }
}
