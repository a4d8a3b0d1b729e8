//! Times and durations as people read them.

use crate::messages::{Messages, Text};
use crate::model::time::Time;
use std::time::Duration;

/// A day: `21 November 2025`, in UTC.
pub fn day(messages: Messages<'_>, at: Time) -> String {
    dated(messages.t("date"), at)
}

/// A moment: `21 November 2025, 11:47 UTC`. The page's script shows it in the reader's own time zone.
pub fn moment(messages: Messages<'_>, at: Time) -> String {
    dated(messages.t("moment"), at)
}

fn dated(text: Text<'_>, at: Time) -> String {
    let Ok(timestamp) = jiff::Timestamp::from_microsecond(at.as_micros()) else { return at.to_string() };
    let time = timestamp.to_zoned(jiff::tz::TimeZone::UTC);
    let date = text.with("year", i64::from(time.year())).with("month", i64::from(time.month()));
    date.with("day", i64::from(time.day())).with("time", time.strftime("%H:%M").to_string()).to_string()
}

/// A time to wait, rounded up so that waiting it is enough: `1 second`, `2 minutes`, `3 hours`.
pub fn duration(messages: Messages<'_>, wait: Duration) -> Text<'_> {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    match seconds.max(1) {
        seconds @ ..=90 => messages.t("seconds").with("count", seconds),
        seconds @ ..=5_400 => messages.t("minutes").with("count", seconds.div_ceil(60)),
        seconds => messages.t("hours").with("count", seconds.div_ceil(3_600)),
    }
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
