//! Texts in HTML, of pages and of emails: escaped, and with words that break well.

use askama::filters::HtmlSafe;
use std::fmt;
use std::fmt::Write;

/// A text whose words break after their signs, and not elsewhere, if they are longer than a narrow line: an email
/// address, or a sentence with a name in it.
pub struct BreakableText(pub String);

/// What fits into a line of a narrow list.
const SHORT: usize = 24;

impl fmt::Display for BreakableText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.split_inclusive(char::is_whitespace).try_for_each(|word| write_word(f, word))
    }
}

/// `Display` escapes.
impl HtmlSafe for BreakableText {}

fn write_word(f: &mut fmt::Formatter<'_>, word: &str) -> fmt::Result {
    let is_long = |text: &str| text.trim_end().chars().count() > SHORT;
    // The host of an address stays whole where it can.
    let (name, host) = word.rsplit_once('@').map_or((word, ""), |(name, host)| (&word[..=name.len()], host));
    for (part, breaks) in [(name, is_long(word)), (host, is_long(host))] {
        for c in part.chars() {
            escape(f, c)?;
            if breaks && matches!(c, '@' | '.' | '-' | '_') {
                f.write_str("<wbr>")?;
            }
        }
    }
    Ok(())
}

pub fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        // Writing to a `String` cannot fail.
        let _ = escape(&mut html, c);
    }
    html
}

/// Writes a character as HTML, in text or between quotation marks.
pub fn escape(out: &mut impl Write, c: char) -> fmt::Result {
    match c {
        '&' => out.write_str("&amp;"),
        '<' => out.write_str("&lt;"),
        '>' => out.write_str("&gt;"),
        '"' => out.write_str("&quot;"),
        '\'' => out.write_str("&#39;"),
        c => out.write_char(c),
    }
}
