//! Messages with marked-up arguments: a name in bold, a time that the script converts to the browser's time zone.

use super::format;
use crate::html::{BreakableText, escape, escaped};
use crate::messages::{Argument, Key, Messages, Text};
use crate::model::time::Time;
use askama::filters::HtmlSafe;
use std::fmt;

/// The placeholder of the first argument until the message is escaped: in Unicode's private use area, which no message
/// uses.
const FIRST_PLACEHOLDER: u32 = 0xE000;

const STRONG_END: &str = "</strong>";

/// A message with marked-up arguments. The message and every value are escaped; only our own elements are not.
pub struct Markup<'a> {
    messages: Messages<'a>,
    message: Text<'a>,
    parts: Vec<String>,
}

impl<'a> Markup<'a> {
    pub(super) fn new(messages: Messages<'a>, key: Key) -> Self {
        Self { messages, message: messages.t(key), parts: Vec::new() }
    }

    /// Sets `{ $name }` to a plain value.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl fmt::Display) -> Self {
        let part = escaped(&value.to_string());
        self.insert(name, part)
    }

    /// Sets `{ $name }` to a number or keyword that a Fluent selector uses.
    #[must_use]
    pub fn choose(mut self, name: &'static str, value: impl Argument<'a>) -> Self {
        self.message = self.message.with(name, value);
        self
    }

    /// Sets `{ $name }` to a value in bold.
    #[must_use]
    pub fn strong(self, name: &'static str, value: impl fmt::Display) -> Self {
        let part = format!("<strong>{}</strong>", escaped(&value.to_string()));
        self.insert(name, part)
    }

    /// The same to an email address or the like, which breaks well.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "templates pass values")]
    pub fn address(self, name: &'static str, text: BreakableText) -> Self {
        self.insert(name, format!("<strong>{text}</strong>"))
    }

    /// Sets `{ $name }` to a link.
    #[must_use]
    pub fn link(self, name: &'static str, url: &str, label: impl fmt::Display) -> Self {
        let part = format!("<a href=\"{}\">{}</a>", escaped(url), escaped(&label.to_string()));
        self.insert(name, part)
    }

    /// Sets `{ $name }` to a time, in the form of [`TimeForm::Moment`].
    #[must_use]
    pub fn moment(self, name: &'static str, at: &Time) -> Self {
        let time = TimeElement { messages: self.messages, at: *at, form: TimeForm::Moment };
        self.time(name, time)
    }

    /// Sets `{ $name }` to a time.
    #[must_use]
    pub fn time(self, name: &'static str, time: TimeElement<'_>) -> Self {
        self.insert(name, time.to_string())
    }

    fn insert(mut self, name: &'static str, html: String) -> Self {
        let offset = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let placeholder =
            FIRST_PLACEHOLDER.checked_add(offset).and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        self.message = self.message.with(name, placeholder.to_string());
        self.parts.push(html);
        self
    }
}

impl fmt::Display for Markup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = self.message.to_string();
        let mut chars = message.chars().peekable();
        while let Some(c) = chars.next() {
            let part = (c as u32).checked_sub(FIRST_PLACEHOLDER).and_then(|offset| self.parts.get(offset as usize));
            let Some(html) = part else {
                escape(f, c)?;
                continue;
            };
            // A long name has a line to itself, and the end of its sentence with it.
            let end =
                if html.ends_with(STRONG_END) { chars.next_if(|c| matches!(c, '.' | ',' | ':' | '?')) } else { None };
            match end {
                Some(end) => write!(f, "<span class=\"ended\">{html}{end}</span>")?,
                None => f.write_str(html)?,
            }
        }
        Ok(())
    }
}

/// A time as a `<time>` element, which the script puts into the browser's time zone and the form of its country.
#[derive(Clone, Copy)]
pub struct TimeElement<'a> {
    pub(super) messages: Messages<'a>,
    pub(super) at: Time,
    pub(super) form: TimeForm,
}

#[derive(Clone, Copy)]
pub(super) enum TimeForm {
    /// `21 November 2025, 11:47 UTC`.
    Moment,
    /// `21 November 2025`.
    Day,
    /// `11:47 UTC`, beneath its day.
    Clock,
    /// `5 minutes ago` at this time; the moment itself for hovering and for screen readers.
    Ago(Time),
}

impl fmt::Display for TimeElement<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { messages, at, form } = *self;
        let moment = || escaped(&format::moment(messages, at));
        write!(f, "<time datetime=\"{at}\" data-local")?;
        match form {
            TimeForm::Moment => write!(f, ">{}</time>", moment()),
            TimeForm::Day => write!(f, "=\"day\">{}</time>", escaped(&format::day(messages, at))),
            TimeForm::Clock => write!(f, "=\"clock\">{}</time>", escaped(&format::clock(messages, at))),
            TimeForm::Ago(now) => {
                let (ago, moment) = (escaped(&format::ago(messages, at, now).to_string()), moment());
                write!(f, " title=\"{moment}\">{ago}<span class=\"sr\"> ({moment})</span></time>")
            }
        }
    }
}

/// `Display` escapes.
impl HtmlSafe for TimeElement<'_> {}

/// `Display` escapes.
impl HtmlSafe for Markup<'_> {}

#[cfg(test)]
#[path = "markup_tests.rs"]
mod tests;
