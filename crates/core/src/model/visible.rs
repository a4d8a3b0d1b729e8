//! Text that people can see: the one rule about characters that show nothing, or change how others are shown.

use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};

/// Blanks that are no white space by Unicode's properties: the Braille blank, the Khitan filler, the null notehead, and
/// the character that stands for an object.
const BLANKS: [char; 4] = ['\u{2800}', '\u{16fe4}', '\u{1d159}', '\u{fffc}'];

/// Whether a character shows nothing or only changes how its neighbours are shown: control and format characters, line
/// and paragraph separators, default-ignorable ones such as Hangul fillers, and blanks; also what no font can show, because
/// it stands for nothing (unassigned) or for something of the reader's own (private use). With them one name
/// looks like another, or text runs the other way (Unicode Technical Report 36, 2; Technical Standard 39, 3.1).
pub fn is_invisible(c: char) -> bool {
    use GeneralCategory::{Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Unassigned};
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    matches!(category, Control | Format | LineSeparator | ParagraphSeparator | PrivateUse | Unassigned)
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
        || BLANKS.contains(&c)
}

/// Marks on one letter beyond which a text is no writing (Unicode Technical Standard 39, 5.4).
const MAX_MARKS: usize = 4;

/// Whether a text begins with a mark, which would change the character that is shown before it, or piles marks on a
/// letter, so that they cover the lines around.
pub fn has_stray_marks(text: &str) -> bool {
    use GeneralCategory::{EnclosingMark, NonspacingMark, SpacingMark};
    let category = |c| CodePointMapData::<GeneralCategory>::new().get(c);
    let begins =
        text.chars().next().is_some_and(|c| matches!(category(c), EnclosingMark | NonspacingMark | SpacingMark));
    let mut run = 0;
    let piles = text.chars().any(|c| {
        run = if matches!(category(c), EnclosingMark | NonspacingMark) { run + 1 } else { 0 };
        run > MAX_MARKS
    });
    begins || piles
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
