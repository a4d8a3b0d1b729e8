//! Sanitizes untrusted text for a terminal.

use std::fmt::Write;

/// Escapes characters that could control the terminal or reorder the text: control characters, and with them escape
/// sequences, and bidirectional formatting characters (Unicode Technical Report 36, 2.5). Keeps line breaks and tabs.
pub(super) fn text(input: &str) -> String {
    let mut printable = String::with_capacity(input.len());
    let mut chars = input.chars().peekable();
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

/// Like [`text`], for bytes that may not be UTF-8.
pub(super) fn bytes(input: &[u8]) -> String {
    text(&String::from_utf8_lossy(input))
}

/// Like [`text`], on one line.
pub(super) fn line(input: &str) -> String {
    text(input).replace('\n', "\\n").replace('\t', "\\t")
}

/// Indents each line by `width` blanks.
pub(super) fn indent(input: &str, width: usize) -> String {
    input.lines().map(|line| format!("{:width$}{line}", "")).collect::<Vec<_>>().join("\n")
}

fn is_bidi_mark(c: char) -> bool {
    matches!(c, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
#[path = "printable_tests.rs"]
mod tests;
