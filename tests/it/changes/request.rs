//! The lines of `changes.txt`: a change, and beneath it what each of its faces is asked.

use regex::Regex;
use reqwest::Method;
use std::sync::LazyLock;

static GAP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{[a-z ]+\}").unwrap());

/// Gaps for what is typed; all others are for ids.
const TYPED: [&str; 4] = ["{code}", "{mailed code}", "{new}", "{password}"];

pub struct Request {
    pub change: &'static str,
    /// `own` or `org` for forms of people, `admin`, `api` or `command`.
    pub face: &'static str,
    /// What the person has before, such as `app`: an authenticator app.
    pub prepared: &'static str,
    /// Path and fields of a form, method, path and JSON of an operation, or a command and what is typed into it.
    pub line: &'static str,
}

/// The requests of a face.
pub fn of(face: &str) -> Vec<Request> {
    all().into_iter().filter(|request| request.face == face).collect()
}

fn all() -> Vec<Request> {
    let (mut change, mut found) = ("", Vec::new());
    for line in include_str!("changes.txt").lines() {
        let Some(request) = line.strip_prefix("  ") else {
            change = line;
            continue;
        };
        let (face, line) = request.split_once(' ').expect("a face and what it is asked");
        let (face, prepared) = face.split_once('+').unwrap_or((face, ""));
        found.push(Request { change, face, prepared, line: line.trim_start() });
    }
    found
}

impl Request {
    pub fn asks_for(&self, gap: &str) -> bool {
        self.line.contains(gap)
    }

    /// The gaps for ids, from left to right.
    pub fn ids(&self) -> Vec<&'static str> {
        GAP.find_iter(self.line).map(|gap| gap.as_str()).filter(|gap| !TYPED.contains(gap)).collect()
    }

    /// Method and path, without the names of gaps.
    pub fn route(&self) -> String {
        let (method, path, _) = parts(self.line);
        format!("{method} {}", without_names(path))
    }
}

pub fn without_names(path: &str) -> String {
    Regex::new(r"\{[^}]+\}").unwrap().replace_all(path, "{}").into_owned()
}

/// Method, path and body; a line without a method is a form.
pub fn parts(line: &str) -> (Method, &str, &str) {
    let (method, rest) = if line.starts_with('/') { ("POST", line) } else { line.split_once(' ').expect("a path") };
    let (path, body) = rest.split_once(' ').unwrap_or((rest, ""));
    (Method::from_bytes(method.as_bytes()).expect("a method"), path, body)
}
