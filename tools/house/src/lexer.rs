//! Splits Rust text into identifiers and comments. A parser would lose the comments.

/// An identifier or a line of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Identifier(&'a str),
    Comment(&'a str),
}

/// The pieces of a text in order, each with the byte at which it begins. Literals are skipped.
pub(crate) fn pieces(text: &str) -> Vec<(usize, Piece<'_>)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            add_comment(&mut pieces, at, until(rest, "\n"))
        } else if rest.starts_with("/*") {
            add_comment(&mut pieces, at, &rest[..block_comment(rest)])
        } else if let Some(length) = literal(rest) {
            length
        } else if is_identifier(first) {
            let identifier = &rest[..rest.find(|c| !is_identifier(c)).unwrap_or(rest.len())];
            pieces.push((at, Piece::Identifier(identifier)));
            identifier.len()
        } else {
            first.len_utf8()
        };
        at += length;
    }
    pieces
}

fn is_identifier(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Adds the lines of a comment and returns its length.
fn add_comment<'a>(pieces: &mut Vec<(usize, Piece<'a>)>, start: usize, comment: &'a str) -> usize {
    let mut at = start;
    for line in comment.split_inclusive('\n') {
        pieces.push((at, Piece::Comment(line.trim_end())));
        at += line.len();
    }
    comment.len()
}

/// The length of a block comment, which may be nested.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        let (change, length) = match rest.get(at..at + 2) {
            Some("/*") => (1, 2),
            Some("*/") => (-1, 2),
            _ => (0, 1),
        };
        depth = depth.saturating_add_signed(change);
        at += length;
        if depth == 0 {
            return at;
        }
    }
    rest.len()
}

/// The length of the string or character that `rest` begins with.
fn literal(rest: &str) -> Option<usize> {
    let body = rest.strip_prefix('b').or_else(|| rest.strip_prefix('c')).unwrap_or(rest);
    let prefix = rest.len() - body.len();
    if let Some(raw) = body.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let quoted = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        return Some(rest.len() - quoted.len() + until(quoted, &end).len() + end.len());
    }
    match body.chars().next()? {
        '"' => Some(prefix + quoted(body, '"')),
        '\'' if is_character(body) => Some(prefix + quoted(body, '\'')),
        _ => None,
    }
}

/// Whether a quote begins a character literal rather than a lifetime.
fn is_character(body: &str) -> bool {
    let mut chars = body.chars().skip(1);
    chars.next() == Some('\\') || chars.next() == Some('\'')
}

/// The length of a literal up to its closing quote, with both quotes.
fn quoted(body: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in body.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    body.len()
}

/// The text in front of `end`, or all of it.
fn until<'a>(text: &'a str, end: &str) -> &'a str {
    text.split_once(end).map_or(text, |(before, _)| before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        let pieces = pieces(text).into_iter();
        let texts = pieces.map(|(_, piece)| match piece {
            Piece::Identifier(text) | Piece::Comment(text) => text,
        });
        texts.collect()
    }

    #[test]
    fn literals_are_skipped() {
        assert_eq!(shown("a(\"b \\\" c\", 'd', '\\'', b'e', b\"f\") g"), ["a", "g"]);
        assert_eq!(shown("r\"a\" r#\"b \" c\"# br\"d\" e<'f>"), ["e", "f"]);
    }

    #[test]
    fn comments_are_split_into_lines() {
        assert_eq!(shown("a // b \"c\nd /* e\n/* f */ g */ h"), ["a", "// b \"c", "d", "/* e", "/* f */ g */", "h"]);
    }

    #[test]
    fn pieces_have_byte_offsets() {
        assert_eq!(pieces("ä b").last(), Some(&(3, Piece::Identifier("b"))));
    }
}
