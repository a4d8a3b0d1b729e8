//! The way to the terminal: what commands print goes through here, so that stored and typed text cannot control it
//! ([`printable`]). `tests/it/architecture.rs` keeps every other file of the command line from writing.

use super::failure::Failure;
use super::printable;
use crate::model::list_place::ListPlace;
use serde::{Serialize, Serializer};
use std::io::{BufRead, IsTerminal, Write, stderr, stdin, stdout};
use std::time::Duration;

/// Writes a command's result in the requested format.
pub struct Output<'a> {
    out: &'a mut dyn Write,
    json: bool,
}

impl<'a> Output<'a> {
    pub fn new(out: &'a mut dyn Write, json: bool) -> Self {
        Self { out, json }
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
        if self.json || !colors || !stdout().is_terminal() {
            return self.result(json, text);
        }
        let lines: Vec<String> = printable::text(text).lines().map(colored).collect();
        unless_unread(write_line(self.out, &lines.join("\n")).map_err(Failure::Output))
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
        unless_unread(write_line(self.out, text).map_err(Failure::Output))
    }

    fn write(&mut self, json: Option<serde_json::Result<String>>, text: &str) -> Result<(), Failure> {
        let printed = match json.transpose().map_err(|error| Failure::Output(error.into()))? {
            Some(json) => write_line(self.out, &printable::json(&json)),
            None => print(self.out, text),
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

/// Prints an error: a line of JSON, or text.
pub fn print_error(err: &mut dyn Write, json: bool, code: &str, message: &str) -> std::io::Result<()> {
    if json {
        let error = serde_json::json!({"error": {"code": code, "message": message}});
        write_line(err, &printable::json(&error.to_string()))
    } else {
        print(err, message)
    }
}

pub fn print(out: &mut dyn Write, text: &str) -> std::io::Result<()> {
    write_line(out, &printable::text(text))
}

fn write_line(out: &mut dyn Write, printable: &str) -> std::io::Result<()> {
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

/// Makes sure that something irreversible is wanted: `yes`, or an answer on the terminal. Without a terminal it fails,
/// and the error names `--yes`.
pub(super) fn require_confirmation(question: &str, yes: bool) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    match confirm(question)? {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::Refused("nothing was changed".to_owned())),
        None => Err(Failure::Operator(format!("{question} There is no terminal to answer on; --yes confirms it"))),
    }
}

/// Asks a question on standard error; only `y` and `yes` confirm. `None` without a terminal.
pub(super) fn confirm(question: &str) -> Result<Option<bool>, Failure> {
    if !stdin().is_terminal() {
        return Ok(None);
    }
    // Failing to show the question is not an error: the answer decides.
    let _ = write!(stderr(), "{} [y/N] ", printable::line(question));
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer).map_err(Failure::Output)?;
    Ok(Some(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")))
}

/// A line on standard error that shows how far a long run has come; nothing if that is no terminal.
pub(super) struct Progress {
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self { is_terminal: stderr().is_terminal(), is_shown: false }
    }

    /// Replaces the line. Failing to show it is not an error.
    pub(super) fn show(&mut self, text: &str) {
        if self.is_terminal {
            self.is_shown = true;
            let _ = write!(stderr(), "\r{}", printable::line(text));
        }
    }

    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;
