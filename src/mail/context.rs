//! What every email may mention: the service, the recipient, and times in their language.

use crate::messages::{Messages, Text};
use crate::model::mail_domain::in_letters;
use crate::model::time::Time;

/// What every email may mention.
#[derive(Clone, Copy)]
pub(super) struct MailContext<'a> {
    /// In the recipient's language.
    pub(super) messages: Messages<'a>,
    /// The public origin of the service.
    pub(super) base: &'a str,
    /// The recipient.
    pub(super) to: &'a str,
    /// The current time.
    pub(super) now: Time,
}

impl<'a> MailContext<'a> {
    /// The name of the service: its host.
    pub(super) fn service_name(&self) -> &'a str {
        self.base.split_once("://").map_or(self.base, |(_, host)| host)
    }

    /// A message with recipient and service filled in.
    pub(super) fn t(&self, key: &'static str) -> Text<'a> {
        self.messages.t(key).with("to", in_letters(self.to).into_owned()).with("site", self.service_name())
    }

    /// As [`MailContext::t`], as a string.
    pub(super) fn text(&self, key: &'static str) -> String {
        self.t(key).to_string()
    }

    /// `21 November 2025, 11:47 UTC`.
    pub(super) fn format_time(&self, at: Time) -> String {
        let Ok(timestamp) = jiff::Timestamp::from_microsecond(at.as_micros()) else { return at.to_string() };
        let time = timestamp.to_zoned(jiff::tz::TimeZone::UTC);
        let date = self.messages.t("moment").with("year", i64::from(time.year()));
        let date = date.with("month", i64::from(time.month())).with("day", i64::from(time.day()));
        date.with("time", time.strftime("%H:%M").to_string()).to_string()
    }

    /// Until when the code and the link are valid.
    pub(super) fn code_and_link_expiry(&self, code: Time, link: Time) -> String {
        let text = self.t("mail-code-and-link-until").with("code", self.format_time(code));
        text.with("link", self.format_time(link)).to_string()
    }
}
