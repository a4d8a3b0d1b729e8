//! The settings at the end of the long help, with descriptions and defaults but without values from the environment.

use crate::settings::{ServiceName, Spec, table};

/// Fits a terminal of 100 columns.
const WIDTH: usize = 100;
const INDENT: usize = 6;

/// Lists the settings of the service `name`.
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
    let mut lines = vec![format!("  {} [{}]", spec.variable(name), spec.default_text(name))];
    lines.extend(wrap(&spec.meaning(name), WIDTH - INDENT).into_iter().map(|line| format!("{:INDENT$}{line}", "")));
    lines
}

/// Wraps a text at blanks into lines of at most `width` characters; a longer word gets its own line.
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
