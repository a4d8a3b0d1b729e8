//! Searches in lines of text.

/// Whether a path ends with a dot and the extension.
pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| end == extension)
}

/// Whether the letters at the ends of the word at `start` have no letter or digit next to them.
fn is_whole(text: &str, start: usize, length: usize) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let end = start + length;
    let is_inside_word = |at: usize| text[..at].ends_with(is_part) && text[at..].starts_with(is_part);
    !is_inside_word(start) && !is_inside_word(end)
}

/// Where `text` holds `word` as a whole word, case-sensitively.
pub(crate) fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let found = text.match_indices(word).map(|(start, _)| start);
    found.filter(move |&start| is_whole(text, start, word.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_found() {
        assert_eq!(words("proof, unproof, proofs, proof_of proof", "proof").collect::<Vec<_>>(), [0, 33]);
    }
}
