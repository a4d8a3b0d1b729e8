//! What every mail may mention: the service, the recipient, and moments in their language.

use crate::messages::{Messages, Text};
use crate::model::time::Time;

/// What every mail may speak of.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    /// In the recipient's language.
    pub(super) messages: Messages<'a>,
    /// The public origin of the service.
    pub(super) base: &'a str,
    /// The recipient.
    pub(super) to: &'a str,
    /// The present moment.
    pub(super) now: Time,
}

impl<'a> Site<'a> {
    /// The service, as people know it: its host.
    pub(super) fn name(&self) -> &'a str {
        self.base.split_once("://").map_or(self.base, |(_, host)| host)
    }

    /// A sentence about recipient and service.
    pub(super) fn t(&self, key: &'static str) -> Text<'a> {
        self.messages.t(key).with("to", self.to).with("site", self.name())
    }

    pub(super) fn say(&self, key: &'static str) -> String {
        self.t(key).to_string()
    }

    /// `21 November 2025, 11:47 UTC`.
    pub(super) fn moment(&self, at: Time) -> String {
        let Ok(timestamp) = jiff::Timestamp::from_microsecond(at.as_micros()) else { return at.to_string() };
        let time = timestamp.to_zoned(jiff::tz::TimeZone::UTC);
        let date = self.messages.t("moment").with("year", i64::from(time.year()));
        let date = date.with("month", i64::from(time.month())).with("day", i64::from(time.day()));
        date.with("time", time.strftime("%H:%M").to_string()).to_string()
    }

    pub(super) fn ends_of_both(&self, code: Time, link: Time) -> String {
        let text = self.t("mail-code-and-link-until").with("code", self.moment(code));
        text.with("link", self.moment(link)).to_string()
    }
}
