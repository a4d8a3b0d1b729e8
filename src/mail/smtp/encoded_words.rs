//! Encoded words (RFC 2047) for texts that would otherwise be read as such.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// An encoded word has at most 75 characters (RFC 2047, 2), and with the name of its header a line at most 76.
const BYTES_PER_WORD: usize = 39;

/// The text as encoded words if a reader would take a part of it for one; else `None`, and the library encodes it.
///
/// Names that people choose stand in subjects: `=?utf-8?b?4oCu?=` would show characters that names may not have.
pub(super) fn encode(text: &str) -> Option<String> {
    text.contains("=?").then(|| {
        let words: Vec<_> = chunks(text).map(|chunk| format!("=?utf-8?b?{}?=", STANDARD.encode(chunk))).collect();
        words.join("\r\n ")
    })
}

/// Splits between characters: each word is decoded by itself.
fn chunks(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (chunk, rest) = text.split_at(text.floor_char_boundary(BYTES_PER_WORD));
        text = rest;
        (!chunk.is_empty()).then_some(chunk)
    })
}
