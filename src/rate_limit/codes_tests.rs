use super::*;
use uuid::Uuid;

const START: Time = Time::from_micros(1_800_000_000_000_000);
const NONE: CodeFailuresRow = CodeFailuresRow::none(Uuid::nil());
const DAY: Duration = Duration::from_hours(24);

/// When wrong codes that are typed at this interval are compared, and not refused: within these limits, or from one site.
fn judged(interval: Duration, days: u32, limits: Option<[FailureLimit; 2]>) -> Vec<Time> {
    let mut failures = CodeFailures {
        own: NONE,
        limits: limits.unwrap_or(CODES_FOR_ADDRESS),
        site: limits.is_none().then_some(NONE),
        now: START,
    };
    let mut judged = Vec::new();
    while failures.now < START + DAY * days {
        if !failures.are_too_many() {
            failures.add_one();
            judged.push(failures.now);
        }
        if limits.is_none() {
            // The next one is for another address.
            failures.own = NONE;
        }
        failures.now = failures.now + interval;
    }
    judged
}

/// The most of these in any period of this length.
fn most_within(times: &[Time], period: Duration) -> usize {
    let within = |start: &Time| times.iter().filter(|time| *start <= **time && **time < *start + period).count();
    times.iter().map(within).max().unwrap_or(0)
}

#[test]
fn no_day_and_no_month_has_more_wrong_codes_than_its_bounds() {
    for (limits, day, month) in [(CODES_FOR_ADDRESS, 50, 100), (CODES_FOR_ACCOUNT, 20, 50)] {
        for interval in [1, 10, 29, 60, 700, 1500].map(Duration::from_mins) {
            let judged = judged(interval, 90, Some(limits));
            assert!(most_within(&judged, DAY) <= day, "{interval:?}");
            assert!(most_within(&judged, MONTH) <= month, "{interval:?}");
        }
    }
    let of_three_days = judged(Duration::from_mins(1), 3, Some(CODES_FOR_ADDRESS));
    assert_eq!(of_three_days.len(), 100, "a day of rest between the fifties");
}

#[test]
fn site_is_refused_for_the_rest_of_the_day_only() {
    assert_eq!(judged(Duration::from_mins(1), 2, None).len(), 2000);
    assert_eq!(judged(Duration::from_mins(2), 30, None).len(), 720 * 30, "a busy site is never refused");
}
