//! A sentence with parts that stand out: a name in bold, a time that the script shows in the reader's own zone.

use super::words;
use crate::messages::{Argument, Key, Messages, Text};
use crate::model::time::Time;
use askama::filters::HtmlSafe;
use std::fmt;
use std::fmt::Write;

/// Stands for the first part in the sentence until all is escaped: of Unicode's private use area, which no message has.
const FIRST_MARK: u32 = 0xE000;

/// A sentence with parts that stand out. The sentence and every value are escaped; only our own elements are not.
pub struct Markup<'a> {
    messages: Messages<'a>,
    sentence: Text<'a>,
    parts: Vec<String>,
}

impl<'a> Markup<'a> {
    pub(super) fn new(messages: Messages<'a>, key: Key) -> Self {
        Self { messages, sentence: messages.t(key), parts: Vec::new() }
    }

    /// With a plain value for `{ $name }`.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl fmt::Display) -> Self {
        let part = escaped(&value.to_string());
        self.part(name, part)
    }

    /// With a number or a word of ours for `{ $name }`, which the sentence chooses by.
    #[must_use]
    pub fn choose(mut self, name: &'static str, value: impl Argument<'a>) -> Self {
        self.sentence = self.sentence.with(name, value);
        self
    }

    /// With a value in bold for `{ $name }`.
    #[must_use]
    pub fn strong(self, name: &'static str, value: impl fmt::Display) -> Self {
        let part = format!("<strong>{}</strong>", escaped(&value.to_string()));
        self.part(name, part)
    }

    /// With a moment for `{ $name }`, which the script shows in the reader's own time zone.
    #[must_use]
    pub fn moment(self, name: &'static str, at: &Time) -> Self {
        let part = moment(self.messages, *at);
        self.part(name, part)
    }

    fn part(mut self, name: &'static str, html: String) -> Self {
        let offset = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let mark = FIRST_MARK.checked_add(offset).and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.sentence = self.sentence.with(name, mark.to_string());
        self.parts.push(html);
        self
    }
}

impl fmt::Display for Markup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.sentence.to_string().chars() {
            let part = (c as u32).checked_sub(FIRST_MARK).and_then(|offset| self.parts.get(offset as usize));
            match part {
                Some(html) => f.write_str(html)?,
                None => escape(f, c)?,
            }
        }
        Ok(())
    }
}

/// A moment by itself.
pub struct Moment<'a>(pub(super) Messages<'a>, pub(super) Time);

impl fmt::Display for Moment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&moment(self.0, self.1))
    }
}

impl HtmlSafe for Moment<'_> {}

fn moment(messages: Messages<'_>, at: Time) -> String {
    let shown = escaped(&words::moment(messages, at));
    format!("<time datetime=\"{at}\" data-local>{shown}</time>")
}

/// Escaped by itself.
impl HtmlSafe for Markup<'_> {}

fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        // Writing to a string cannot fail.
        let _ = escape(&mut html, c);
    }
    html
}

fn escape(out: &mut impl Write, c: char) -> fmt::Result {
    match c {
        '&' => out.write_str("&amp;"),
        '<' => out.write_str("&lt;"),
        '>' => out.write_str("&gt;"),
        '"' => out.write_str("&quot;"),
        '\'' => out.write_str("&#39;"),
        c => out.write_char(c),
    }
}
