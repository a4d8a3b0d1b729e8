#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use proptest::prelude::*;

#[test]
fn documented_forms_parse() {
    for (text, millis) in [
        ("5s", 5_000),
        ("2m", 120_000),
        ("24h", 86_400_000),
        ("720h", 2_592_000_000),
        ("1h30m", 5_400_000),
        ("250ms", 250),
        ("1h2m3s4ms", 3_723_004),
        ("90m", 5_400_000),
        ("0h5s", 5_000),
    ] {
        assert_eq!(parse(text).unwrap(), Duration::from_millis(millis), "{text}");
    }
}

#[test]
fn other_forms_are_refused() {
    let bad = "5|0|0s|0h0m| 5s|5 s|5S|-5s|+5s|1.5h|s|ms|5d|1s1h|5s5s|1h30|h5|∞|5µs|876001h|99999999999999999999h";
    for text in bad.split('|').chain([""]) {
        assert_eq!(parse(text), Err(DurationError), "{text:?}");
    }
    assert!(parse("18446744073709551615h").is_err(), "no overflow");
}

proptest! {
    #[test]
    fn formatted_duration_round_trips(millis in 1..=MAX_MILLIS) {
        let duration = Duration::from_millis(millis);
        prop_assert_eq!(parse(&format(duration)), Ok(duration));
    }

    #[test]
    fn arbitrary_text_does_not_panic(text in ".{0,24}|([0-9]{0,20}(h|m|s|ms)?){0,5}") {
        if let Ok(duration) = parse(&text) {
            prop_assert_eq!(parse(&format(duration)), Ok(duration));
        }
    }
}
