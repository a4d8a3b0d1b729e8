//! Dates in headers (RFC 9110, 5.6.7).

use super::time::Time;
use jiff::civil::DateTime;
use jiff::fmt::strtime;
use jiff::tz::TimeZone;

/// IMF-fixdate, RFC 850, asctime: the forms that a recipient must accept.
const FORMATS: [&str; 3] = ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// Reads a date of a header; `None` if it has none of the three forms.
pub fn parse(value: &str) -> Option<Time> {
    let civil: DateTime = FORMATS
        .iter()
        .find_map(|format| strtime::parse(format, value).ok().and_then(|parsed| parsed.to_datetime().ok()))?;
    let timestamp = TimeZone::UTC.to_timestamp(civil).ok()?;
    Some(Time::from_micros(timestamp.as_microsecond()))
}
