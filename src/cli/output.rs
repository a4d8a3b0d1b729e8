//! The way to the terminal: what commands print goes through here, so that stored and typed text cannot control it
//! ([`printable`]). `tests/it/architecture.rs` keeps every other file of the command line from writing.

use super::failure::Failure;
use super::printable;
use crate::model::list_place::ListPlace;
use serde::{Serialize, Serializer};
use std::io::{self, BufRead, Write};
use std::time::Duration;

/// The standard streams.
pub struct Streams<'a> {
    /// Standard input.
    pub input: &'a mut dyn BufRead,
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Which of them are a terminal.
    pub terminals: Terminals,
}

/// Which standard streams are a terminal.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terminals {
    /// Standard input: questions can be answered.
    pub input: bool,
    /// Standard output: colors are seen.
    pub out: bool,
    /// Standard error: a line can be replaced.
    pub err: bool,
}

/// Writes a command's result in the requested format, and asks what the command has to know.
pub struct Output<'a> {
    streams: Streams<'a>,
    json: bool,
}

impl<'a> Output<'a> {
    /// Writes to these streams.
    pub fn new(streams: Streams<'a>, json: bool) -> Self {
        Self { streams, json }
    }

    /// Whether the result is JSON.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes one item of a stream of results: a line of JSON, or text. Fails if the pipe is closed: the stream ends.
    pub fn item(&mut self, json: &impl Serialize, text: &str) -> Result<(), Failure> {
        let json = if self.json { Some(serde_json::to_string(json)) } else { None };
        self.write(json, text)
    }

    /// Writes the result: a JSON document, or text.
    pub fn result(&mut self, json: &impl Serialize, text: &str) -> Result<(), Failure> {
        let json = if self.json { Some(serde_json::to_string_pretty(json)) } else { None };
        unless_unread(self.write(json, text))
    }

    /// As [`Output::result`], of a report whose lines begin with how bad they are: in color on a terminal.
    pub fn report(&mut self, json: &impl Serialize, text: &str, colors: bool) -> Result<(), Failure> {
        if self.json || !colors || !self.streams.terminals.out {
            return self.result(json, text);
        }
        let lines: Vec<String> = printable::text(text).lines().map(colored).collect();
        unless_unread(write_line(self.streams.out, &lines.join("\n")).map_err(Failure::Output))
    }

    /// Writes a list: a JSON document with `data` and the place where the `next` page begins, or text.
    pub fn list(&mut self, data: &impl Serialize, next: Option<ListPlace>, text: &str) -> Result<(), Failure> {
        #[derive(Serialize)]
        struct List<'a, T> {
            data: &'a T,
            next: Option<String>,
        }
        self.result(&List { data, next: next.map(|place| place.to_string()) }, text)
    }

    /// Writes a text of this build as it is, invisible characters included; or a JSON document.
    pub fn embedded(&mut self, json: &impl Serialize, text: &'static str) -> Result<(), Failure> {
        if self.json {
            return self.result(json, text);
        }
        unless_unread(write_line(self.streams.out, text).map_err(Failure::Output))
    }

    /// Writes lines of text, with `--json` too.
    pub(super) fn print(&mut self, text: &str) -> io::Result<()> {
        write_line(self.streams.out, &printable::text(text))
    }

    /// Writes an error: a line of JSON, or text. A closed standard error cannot be reported.
    pub(super) fn error(&mut self, code: &str, message: &str) {
        let line = if self.json {
            printable::json(&serde_json::json!({"error": {"code": code, "message": message}}).to_string())
        } else {
            printable::text(message)
        };
        let _ = write_line(self.streams.err, &line);
    }

    /// Writes a warning. With JSON, what stands on standard error is an error, and JSON.
    pub(super) fn warn(&mut self, line: &str) {
        if !self.json {
            let _ = write_line(self.streams.err, &printable::text(line));
        }
    }

    /// Makes sure that something irreversible is wanted: `yes`, or an answer on the terminal. Without a terminal it fails,
    /// and the error names `--yes`.
    pub(super) fn require_confirmation(&mut self, question: &str, yes: bool) -> Result<(), Failure> {
        if yes {
            return Ok(());
        }
        match self.confirm(question)? {
            Some(true) => Ok(()),
            Some(false) => Err(Failure::Refused("nothing was changed".to_owned())),
            None => Err(Failure::Operator(format!("{question} There is no terminal to answer on; --yes confirms it"))),
        }
    }

    /// Asks a question on standard error; only `y` and `yes` confirm. `None` without a terminal.
    pub(super) fn confirm(&mut self, question: &str) -> Result<Option<bool>, Failure> {
        if !self.streams.terminals.input {
            return Ok(None);
        }
        // Failing to show the question is not an error: the answer decides.
        let _ = write!(self.streams.err, "{} [y/N] ", printable::line(question));
        let answer = self.read_line()?;
        Ok(Some(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")))
    }

    /// Reads a line of standard input, without its end.
    pub(super) fn read_line(&mut self) -> Result<String, Failure> {
        let mut line = String::new();
        self.streams.input.read_line(&mut line).map_err(Failure::Output)?;
        line.truncate(line.trim_end_matches(['\r', '\n']).len());
        Ok(line)
    }

    /// A line that shows how far a long run has come.
    pub(super) fn progress(&mut self) -> Progress<'_> {
        let is_terminal = self.streams.terminals.err;
        Progress { err: if is_terminal { Some(&mut *self.streams.err) } else { None }, is_shown: false }
    }

    fn write(&mut self, json: Option<serde_json::Result<String>>, text: &str) -> Result<(), Failure> {
        let printed = match json.transpose().map_err(|error| Failure::Output(error.into()))? {
            Some(json) => write_line(self.streams.out, &printable::json(&json)),
            None => self.print(text),
        };
        printed.map_err(Failure::Output)
    }
}

/// A line with its first word in the color of what it says.
fn colored(line: &str) -> String {
    let word = line.split(' ').next().unwrap_or_default();
    let color = match word {
        "error" => "31",
        "warning" => "33",
        "ok" => "32",
        _ => return line.to_owned(),
    };
    format!("\x1b[{color}m{word}\x1b[0m{}", &line[word.len()..])
}

/// Who reads only the beginning, such as `head`, has what they wanted; the command is done all the same.
fn unless_unread(written: Result<(), Failure>) -> Result<(), Failure> {
    match written {
        Err(failure) if failure.is_unread() => Ok(()),
        other => other,
    }
}

fn write_line(out: &mut dyn Write, printable: &str) -> io::Result<()> {
    writeln!(out, "{printable}").and_then(|()| out.flush())
}

/// The record of a thing, and whether the command changed it.
#[derive(Serialize)]
pub(super) struct Changed<R> {
    #[serde(flatten)]
    pub(super) record: R,
    pub(super) changed: bool,
}

/// A duration that is printed in seconds.
#[derive(Clone, Copy)]
pub(super) struct Seconds(pub(super) Duration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64())
    }
}

/// A duration that is printed in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Millis(pub(super) Duration);

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.0.as_secs_f64() * 1000.0)
    }
}

/// A line on standard error that shows how far a long run has come; nothing if that is no terminal.
pub(super) struct Progress<'a> {
    err: Option<&'a mut dyn Write>,
    is_shown: bool,
}

impl Progress<'_> {
    /// Replaces the line. Failing to show it is not an error.
    pub(super) fn show(&mut self, text: &str) {
        if let Some(err) = &mut self.err {
            self.is_shown = true;
            let _ = write!(err, "\r{}", printable::line(text));
        }
    }

    /// Removes the line.
    pub(super) fn clear(self) {
        if let Some(err) = self.err.filter(|_| self.is_shown) {
            let _ = write!(err, "\r\x1b[K");
        }
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
