//! The `Retry-After` header (RFC 9110, 10.2.3): seconds, or a date in any of the three forms that a recipient must
//! accept (5.6.7). Anything else is ignored.

use crate::model::time::Time;
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use std::time::Duration;

/// The longest delay that a receiver can request.
const MAX_DELAY: Duration = Duration::from_hours(1);

/// IMF-fixdate, RFC 850, asctime.
const FORMATS: [&str; 3] = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// The requested delay, at most an hour; zero for a date in the past and for an invalid value.
pub(super) fn parse(value: &str, now: Time) -> Duration {
    let value = value.trim();
    let delay = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that overflows is a long delay, too.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        date(value).map_or(Duration::ZERO, |date| date.since(now))
    };
    delay.min(MAX_DELAY)
}

fn date(value: &str) -> Option<Time> {
    let civil: DateTime = FORMATS
        .iter()
        .find_map(|format| strtime::parse(format, value).ok().and_then(|parsed| parsed.to_datetime().ok()))?;
    let timestamp = TimeZone::UTC.to_timestamp(civil).ok()?;
    Some(Time::from_micros(timestamp.as_microsecond()))
}

#[cfg(test)]
#[path = "retry_after_tests.rs"]
mod tests;
