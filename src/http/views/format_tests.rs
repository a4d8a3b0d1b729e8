use super::*;
use crate::messages::{Catalog, Locale};

fn english() -> Messages<'static> {
    Catalog::embedded().messages(Locale::ENGLISH)
}

#[test]
fn durations_are_rounded_up() {
    let cases =
        [(0, "1 second"), (400, "1 second"), (1_000, "1 second"), (30_001, "31 seconds"), (90_000, "90 seconds")];
    let long = [(90_001, "2 minutes"), (121_000, "3 minutes"), (5_400_000, "90 minutes"), (5_400_001, "2 hours")];
    for (millis, words) in cases.into_iter().chain(long) {
        assert_eq!(duration(english(), Duration::from_millis(millis)).to_string(), words);
    }
}

#[test]
fn times_are_formatted_in_utc() {
    let at = Time::from_micros(1_763_725_620_123_456);
    assert_eq!(moment(english(), at), "21 November 2025, 11:47 UTC");
    assert_eq!(day(english(), at), "21 November 2025");
}

#[test]
fn time_out_of_range_is_still_formatted() {
    assert_eq!(day(english(), Time::from_micros(i64::MAX)), format!("{}us", i64::MAX));
}

#[test]
fn german_uses_its_own_months_and_plurals() {
    let german = Catalog::embedded().messages(Locale::GERMAN);
    let at = Time::from_micros(1_763_725_620_123_456);
    assert_eq!(moment(german, at), "21. November 2025, 11:47 Uhr UTC");
    assert_eq!(day(german, Time::from_micros(1_741_000_000_000_000)), "3. März 2025");
    assert_eq!(duration(german, Duration::from_secs(1)).to_string(), "1 Sekunde");
    assert_eq!(duration(german, Duration::from_hours(2)).to_string(), "2 Stunden");
}

#[test]
fn past_times_are_relative_and_rounded_down() {
    let now = Time::from_micros(1_763_725_620_000_000);
    let ago = |messages, seconds: u64| super::ago(messages, now - Duration::from_secs(seconds), now).to_string();
    for (seconds, text) in [
        (0, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3_599, "59 minutes ago"),
        (7_200, "2 hours ago"),
        (86_399, "23 hours ago"),
        (86_400, "1 day ago"),
        (2_591_999, "29 days ago"),
        (2_592_000, "1 month ago"),
        (31_535_999, "12 months ago"),
        (31_536_000, "1 year ago"),
    ] {
        assert_eq!(ago(english(), seconds), text, "{seconds}");
    }
    let german = Catalog::embedded().messages(Locale::GERMAN);
    assert_eq!(ago(german, 86_400 * 3), "vor 3 Tagen");
    // The clocks of two processes differ a little.
    assert_eq!(super::ago(english(), now + Duration::from_secs(5), now).to_string(), "just now");
}
