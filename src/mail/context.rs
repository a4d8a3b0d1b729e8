//! What every email may mention: the service, the recipient, and times in their language.

use crate::brand::Brand;
use crate::messages::{Messages, Text};
use crate::model::mail_domain::in_letters;
use crate::model::time::Time;

#[derive(Clone, Copy)]
pub(super) struct MailContext<'a> {
    pub(super) messages: Messages<'a>,
    pub(super) brand: &'a Brand,
    /// The public origin of the service.
    pub(super) base: &'a str,
    pub(super) to: &'a str,
    pub(super) now: Time,
}

impl<'a> MailContext<'a> {
    pub(super) fn host(&self) -> &'a str {
        self.base.split_once("://").map_or(self.base, |(_, host)| host)
    }

    /// A message with recipient and service filled in.
    pub(super) fn t(&self, key: &'static str) -> Text<'a> {
        self.messages.t(key).with("to", in_letters(self.to).into_owned()).with("site", &*self.brand.name)
    }

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

    /// The time that is left, such as `10 minutes`: clearer than a date in a time zone that is not the reader's.
    pub(super) fn time_left(&self, until: Time) -> String {
        let minutes = until.since(self.now).as_secs().div_ceil(60).max(1);
        let (unit, count) = match minutes {
            0..90 => ("minutes", minutes),
            90..2880 => ("hours", (minutes + 30) / 60),
            _ => ("days", (minutes + 720) / 1440),
        };
        let text = self.messages.t("mail-duration").with("unit", unit);
        text.with("count", i64::try_from(count).unwrap_or(i64::MAX)).to_string()
    }
}
