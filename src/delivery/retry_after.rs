//! The `Retry-After` header (RFC 9110, 10.2.3): seconds, or a date in any of the three forms that a recipient must
//! accept (5.6.7). Anything else is ignored.

use crate::model::http_date;
use crate::model::time::Time;
use std::time::Duration;

/// The longest delay that a receiver can request.
const MAX_DELAY: Duration = Duration::from_hours(1);

/// The requested delay, at most an hour; zero for a date in the past and for an invalid value.
pub(super) fn parse(value: &str, now: Time) -> Duration {
    let value = value.trim();
    let delay = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that overflows is a long delay, too.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        http_date::parse(value).map_or(Duration::ZERO, |date| date.since(now))
    };
    delay.min(MAX_DELAY)
}

#[cfg(test)]
#[path = "retry_after_tests.rs"]
mod tests;
