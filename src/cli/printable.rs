//! Sanitizes untrusted text for a terminal.

use crate::model::visible::is_invisible;
use std::fmt::Write;

/// Escapes characters that could control the terminal, reorder the text or hide in it: control characters, and with them
/// escape sequences, and all others that are [invisible](is_invisible) (Unicode Technical Report 36, 2.5). Keeps line
/// breaks and tabs.
pub(super) fn text(input: &str) -> String {
    let mut printable = String::with_capacity(input.len());
    let mut chars = input.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => printable.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_invisible(c) => {
                // Writing to a String cannot fail.
                let _ = write!(printable, "{}", c.escape_unicode());
            }
            c => printable.push(c),
        }
    }
    printable
}

/// Like [`text`], for bytes that may not be UTF-8.
pub(super) fn bytes(input: &[u8]) -> String {
    text(&String::from_utf8_lossy(input))
}

/// Like [`text`], on one line.
pub(super) fn line(input: &str) -> String {
    text(input).replace('\n', "\\n").replace('\t', "\\t")
}

/// Like [`text`], for JSON, whose value stays the same: only strings can hold such characters besides white space.
pub(super) fn json(input: &str) -> String {
    let mut printable = String::with_capacity(input.len());
    for c in input.chars() {
        if is_invisible(c) && !matches!(c, '\n' | '\r' | '\t') {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a String cannot fail.
                let _ = write!(printable, "\\u{unit:04x}");
            }
        } else {
            printable.push(c);
        }
    }
    printable
}

pub(super) fn indent(input: &str, width: usize) -> String {
    input.lines().map(|line| format!("{:width$}{line}", "")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
#[path = "printable_tests.rs"]
mod tests;
