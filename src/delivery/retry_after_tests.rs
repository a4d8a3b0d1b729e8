use super::parse;
use crate::model::time::Time;
use std::time::Duration;

/// 1994-11-06 08:49:37 UTC, the example of RFC 9110, 5.6.7.
const EXAMPLE: Time = Time::from_micros(784_111_777_000_000);

#[test]
fn seconds_are_accepted_and_capped_at_one_hour() {
    for (value, seconds) in [("0", 0), ("1", 1), (" 120 ", 120), ("3600", 3600), ("3601", 3600)] {
        assert_eq!(parse(value, EXAMPLE), Duration::from_secs(seconds), "{value}");
    }
    assert_eq!(parse(&"9".repeat(40), EXAMPLE), Duration::from_hours(1));
}

#[test]
fn three_date_formats_are_accepted() {
    let earlier = EXAMPLE - Duration::from_secs(90);
    for value in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
        assert_eq!(parse(value, earlier), Duration::from_secs(90), "{value}");
        assert_eq!(parse(value, EXAMPLE + Duration::from_secs(1)), Duration::ZERO, "{value} is past");
        assert_eq!(parse(value, earlier - Duration::from_hours(5)), Duration::from_hours(1), "{value} is far");
    }
}

#[test]
fn invalid_retry_after_is_ignored() {
    for value in ["", " ", "-1", "1.5", "soon", "1 2", "0x10", "Sun, 99 Nov 1994 08:49:37 GMT", "١٢", "+5"] {
        assert_eq!(parse(value, EXAMPLE), Duration::ZERO, "{value}");
    }
}
