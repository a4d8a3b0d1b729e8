//! Text that people can see: the one rule about characters that show nothing, or change how others are shown.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};

/// A blank that is no white space by Unicode's properties.
const BRAILLE_BLANK: char = '\u{2800}';

/// Whether a character shows nothing or only changes how its neighbours are shown: control and format characters, line
/// and paragraph separators, default-ignorable ones such as Hangul fillers, and the Braille blank. With them one name
/// looks like another, or text runs the other way (Unicode Technical Report 36, 2; Technical Standard 39, 3.1).
pub fn is_invisible(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator};
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    matches!(category, Control | Format | LineSeparator | ParagraphSeparator)
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        || c == BRAILLE_BLANK
}

/// What can be seen of a text: without [invisible](is_invisible) characters, its words separated by single spaces.
pub fn visible_words(text: &str) -> String {
    let seen = |word: &str| word.chars().filter(|c| !is_invisible(*c)).collect::<String>();
    let words: Vec<String> = text.split_whitespace().map(seen).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
#[path = "visible_tests.rs"]
mod tests;
