//! Snapshots of what leaves the service, in `tests/it/snapshots`: their differences are the review of a change.
//!
//! A snapshot has no value that differs from run to run ([`redact`]), so both databases share it. What all pages have in
//! common stands once, in `parts`; elsewhere its name stands for it, but only where it is the same letter by letter.

use super::program::run_program;
use super::redact::redact;
use super::reply::Reply;
use doorward::cli::pretty_print;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::LazyLock;

/// Compares the text with the snapshot `tests/it/snapshots/NAME.snap`, where NAME has a folder: `pages/login_shown`.
#[track_caller]
pub fn snapshot(name: &str, text: &str) {
    compare(name, &with_parts(redact(text)));
}

/// The text with the names of parts in their places.
fn with_parts(text: String) -> String {
    PARTS.iter().fold(text, |text, (part, known)| text.replace(known, &format!("[{part}]")))
}

/// Compares a part that pages have in common. Where one changes, all pages show it in full until it is accepted.
#[track_caller]
pub fn part(name: &str, text: &str) {
    compare(&format!("parts/{name}"), &redact(text));
}

#[track_caller]
fn compare(name: &str, text: &str) {
    let (folder, name) = name.split_once('/').expect("a folder and a name");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder_of_snapshots().join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

pub fn folder_of_snapshots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots")
}

/// The text of a snapshot's file, without what insta writes above it.
pub fn contents(file: &Path) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    text.splitn(3, "---\n").nth(2).expect("a header of insta").trim_end().to_owned()
}

/// The name and text of each part, longest first, as one may hold another.
static PARTS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let files = std::fs::read_dir(folder_of_snapshots().join("parts")).into_iter().flatten();
    let files = files.map(|file| file.unwrap().path()).filter(|file| file.extension().is_some_and(|end| end == "snap"));
    let name = |file: &Path| file.file_stem().unwrap().to_string_lossy().into_owned();
    let mut parts: Vec<_> = files.map(|file| (name(&file), contents(&file))).collect();
    parts.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    parts
});

impl Reply {
    /// Compares request line, status, headers and body with a snapshot; returns the reply.
    #[track_caller]
    pub fn snapshot(self, name: &str) -> Self {
        snapshot(name, &self.to_string());
        self
    }
}

/// These say nothing about an answer that its body does not.
const VARYING_HEADERS: [&str; 3] = ["content-length", "date", "x-request-id"];

/// Answers to requests that have much in common, in one snapshot: what each request was, status and body. Headers follow
/// where they differ from those of the answer before.
#[derive(Debug, Default)]
pub struct Answers {
    text: String,
    headers: String,
}

impl Answers {
    pub fn add(&mut self, what: &str, reply: Reply) -> Reply {
        let answer = format!("{} {}", reply.status, reply.text());
        let what = if what.is_empty() { "nothing" } else { what };
        writeln!(self.text, "{what}\n    {}", answer.trim_end()).unwrap();
        let mut headers = String::new();
        for (name, value) in reply.headers.iter().filter(|(name, _)| !VARYING_HEADERS.contains(&name.as_str())) {
            writeln!(headers, "{name}: {}", String::from_utf8_lossy(value.as_bytes())).unwrap();
        }
        let headers = with_parts(headers);
        if redact(&headers) != self.headers {
            headers.lines().for_each(|line| writeln!(self.text, "        {line}").unwrap());
            self.headers = redact(&headers);
        }
        reply
    }

    /// Adds a line, such as what the next answers have in common.
    pub fn heading(&mut self, line: &str) {
        write!(self.text, "\n{line}\n\n").unwrap();
    }

    #[track_caller]
    pub fn snapshot(self, name: &str) {
        snapshot(name, self.text.trim());
    }
}

/// Request line, status, headers in the order in which they came, and body; JSON is indented, and otherwise letter by letter.
impl std::fmt::Display for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{}\n\n{}", self.request, self.status)?;
        for (name, value) in &self.headers {
            writeln!(f, "{name}: {}", String::from_utf8_lossy(value.as_bytes()))?;
        }
        let is_json = self.header("content-type").is_some_and(|kind| kind.contains("json"));
        let body = if is_json { pretty_print(&self.text()) } else { self.text() };
        write!(f, "\n{body}")
    }
}

/// Compares exit code, output and errors of a command with a snapshot.
#[track_caller]
pub fn snapshot_of_command(name: &str, arguments: &[&str], output: &Output) {
    snapshot(name, &text_of_command(&format!("doorward {}", arguments.join(" ")), output));
}

/// What a line of a shell printed, as snapshots show it.
pub fn text_of_command(line: &str, output: &Output) -> String {
    let mut text = format!("{line}\n\nexit code {}\n", output.status.code().unwrap_or(-1));
    for (stream, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !bytes.is_empty() {
            write!(text, "\n{stream}:\n{}", String::from_utf8_lossy(bytes)).unwrap();
        }
    }
    text
}

/// Runs a command with these variables and compares what it prints with a snapshot; returns its output.
pub async fn run_to_snapshot(name: &str, arguments: &[&str], variables: &BTreeMap<String, String>) -> Output {
    let output = run_program(arguments, variables).await;
    snapshot_of_command(name, arguments, &output);
    output
}
