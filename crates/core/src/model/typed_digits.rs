//! Digits as keyboards of all scripts type them.

/// The zeros of the scripts whose keyboards have digits of their own, and of full width.
const ZEROS: [char; 19] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}',
    '\u{ce6}', '\u{d66}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{17e0}', '\u{1810}', '\u{ff10}',
];
/// No code is longer.
const MAX_LEN: usize = 16;

/// A code of digits as it was typed: without blanks and hyphens, its digits as ASCII.
pub fn code(typed: &str) -> String {
    typed.chars().filter(|c| !c.is_whitespace() && *c != '-').map(ascii).take(MAX_LEN).collect()
}

fn ascii(c: char) -> char {
    let value = |zero: &char| u32::from(c).checked_sub(u32::from(*zero)).filter(|value| *value < 10);
    ZEROS.iter().find_map(value).and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

#[cfg(test)]
#[path = "typed_digits_tests.rs"]
mod tests;
