//! What others wrote, made fit for a terminal.

use std::fmt::Write;

/// The text with everything escaped that could steer a terminal or turn the order of what is read: control characters,
/// escape sequences with them, and the marks of bidirectional text (Unicode Technical Report 36, 2.5). Line breaks and
/// tabs stay.
pub(super) fn text(given: &str) -> String {
    let mut printable = String::with_capacity(given.len());
    let mut chars = given.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' | '\t' => printable.push(c),
            '\r' if chars.peek() == Some(&'\n') => {}
            c if c.is_control() || is_bidi_mark(c) || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                // Writing to a String cannot fail.
                let _ = write!(printable, "{}", c.escape_unicode());
            }
            c => printable.push(c),
        }
    }
    printable
}

/// As [`text`], of bytes that may not be UTF-8.
pub(super) fn bytes(given: &[u8]) -> String {
    text(&String::from_utf8_lossy(given))
}

/// As [`text`], on one line.
pub(super) fn line(given: &str) -> String {
    text(given).replace('\n', "\\n").replace('\t', "\\t")
}

/// The text with each of its lines moved in by `width` blanks.
pub(super) fn indent(given: &str, width: usize) -> String {
    given.lines().map(|line| format!("{:width$}{line}", "")).collect::<Vec<_>>().join("\n")
}

fn is_bidi_mark(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
#[path = "printable_tests.rs"]
mod tests;
