//! Formats times and durations in the user's language.

use crate::messages::{Messages, Text};
use crate::model::time::{Time, whole_seconds};
use std::time::Duration;

/// A day: `21 November 2025`, in UTC.
pub fn day(messages: Messages<'_>, at: Time) -> String {
    format_date(messages.t("date"), at)
}

/// A time: `21 November 2025, 11:47 UTC`. The page's script converts it to the browser's time zone.
pub fn moment(messages: Messages<'_>, at: Time) -> String {
    format_date(messages.t("moment"), at)
}

/// A time of a day: `11:47 UTC`.
pub fn clock(messages: Messages<'_>, at: Time) -> String {
    format_date(messages.t("clock"), at)
}

/// How many midnights, in UTC, lie between a time and now.
pub const fn days_ago(at: Time, now: Time) -> i64 {
    const DAY: i64 = 24 * 60 * 60 * 1_000_000;
    now.as_micros().div_euclid(DAY) - at.as_micros().div_euclid(DAY)
}

fn format_date(text: Text<'_>, at: Time) -> String {
    let Ok(timestamp) = jiff::Timestamp::from_microsecond(at.as_micros()) else { return at.to_string() };
    let time = timestamp.to_zoned(jiff::tz::TimeZone::UTC);
    let date = text.with("year", i64::from(time.year())).with("month", i64::from(time.month()));
    date.with("day", i64::from(time.day())).with("time", time.strftime("%H:%M").to_string()).to_string()
}

/// A past time: `just now`, `5 minutes ago`, `3 hours ago`, `2 days ago`, `2 months ago`, `1 year ago`.
pub fn ago(messages: Messages<'_>, at: Time, now: Time) -> Text<'_> {
    let minutes = now.since(at).as_secs() / 60;
    let (key, unit) = match minutes {
        0 => return messages.t("ago-now"),
        1..60 => ("ago-minutes", 1),
        60..1_440 => ("ago-hours", 60),
        1_440..43_200 => ("ago-days", 1_440),
        43_200..525_600 => ("ago-months", 43_200),
        _ => ("ago-years", 525_600),
    };
    messages.t(key).with("count", minutes / unit)
}

/// A time to wait, rounded up: `1 second`, `2 minutes`, `3 hours`.
pub fn duration(messages: Messages<'_>, wait: Duration) -> Text<'_> {
    match whole_seconds(wait) {
        seconds @ ..=90 => messages.t("seconds").with("count", seconds),
        seconds @ ..=5_400 => messages.t("minutes").with("count", seconds.div_ceil(60)),
        seconds => messages.t("hours").with("count", seconds.div_ceil(3_600)),
    }
}

#[cfg(test)]
#[path = "format_tests.rs"]
mod tests;
