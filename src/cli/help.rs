//! The end of the long help: every setting with its meaning and default, never a value from the environment.

use crate::settings::{ServiceName, Spec, table};

/// The width that fits a terminal of 100 columns.
const WIDTH: usize = 100;
const INDENT: usize = 6;

/// The list of settings for the service `name`.
pub(super) fn settings(name: &ServiceName) -> String {
    let mut lines = vec![
        "Settings are environment variables (default in brackets); doorward config shows their values:".to_owned(),
    ];
    for section in table::SECTIONS {
        lines.push(format!("\n{}:", section.title));
        lines.extend(section.settings.iter().flat_map(|spec| setting(spec, name)));
    }
    lines.join("\n")
}

fn setting(spec: &Spec, name: &ServiceName) -> Vec<String> {
    let mut lines = vec![format!("  {} [{}]", spec.variable(name), spec.default_words(name))];
    lines.extend(wrap(&spec.meaning(name), WIDTH - INDENT).into_iter().map(|line| format!("{:INDENT$}{line}", "")));
    lines
}

/// Breaks a text at blanks into lines of at most `width` characters; a longer word has a line of its own.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
