//! The `Retry-After` header (RFC 9110, 10.2.3): seconds, or a date in any of the three forms that a recipient must
//! accept (5.6.7). Anything else is passed over.

use crate::model::time::Time;
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use std::time::Duration;

/// No receiver can put a delivery off for longer.
const LONGEST: Duration = Duration::from_hours(1);

/// IMF-fixdate, RFC 850, asctime.
const FORMS: [&str; 3] = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// How long to wait, at most an hour; zero for a date in the past and for junk.
pub(super) fn parse(value: &str, now: Time) -> Duration {
    let value = value.trim();
    let wait = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are a long time, too.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        date(value).map_or(Duration::ZERO, |date| date.since(now))
    };
    wait.min(LONGEST)
}

fn date(value: &str) -> Option<Time> {
    let civil: DateTime =
        FORMS.iter().find_map(|form| strtime::parse(form, value).ok().and_then(|parsed| parsed.to_datetime().ok()))?;
    let timestamp = TimeZone::UTC.to_timestamp(civil).ok()?;
    Some(Time::from_micros(timestamp.as_microsecond()))
}

#[cfg(test)]
#[path = "retry_after_tests.rs"]
mod tests;
