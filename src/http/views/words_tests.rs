use super::*;

#[test]
fn waits_are_rounded_up() {
    let cases =
        [(0, "1 second"), (400, "1 second"), (1_000, "1 second"), (30_001, "31 seconds"), (90_000, "90 seconds")];
    let long = [(90_001, "2 minutes"), (121_000, "3 minutes"), (5_400_000, "90 minutes"), (5_400_001, "2 hours")];
    for (millis, words) in cases.into_iter().chain(long) {
        assert_eq!(duration(Duration::from_millis(millis)), words);
    }
}

#[test]
fn times_are_in_utc() {
    let at = Time::from_micros(1_763_725_620_123_456);
    assert_eq!(moment(at), "21 November 2025, 11:47 UTC");
    assert_eq!(day(at), "21 November 2025");
}

#[test]
fn a_time_out_of_range_is_still_shown() {
    assert_eq!(day(Time::from_micros(i64::MAX)), format!("{}us", i64::MAX));
}
