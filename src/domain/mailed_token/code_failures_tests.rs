use super::*;
use uuid::Uuid;

const START: Time = Time::from_micros(1_800_000_000_000_000);
const NONE: CodeFailuresRow = CodeFailuresRow::none(Uuid::nil());

/// When wrong codes that are typed at this interval are compared, and not refused: for one address, or from one site.
fn judged(interval: Duration, days: u32, is_site: bool) -> Vec<Time> {
    let (mut failures, mut judged) = (CodeFailures { address: NONE, site: NONE, now: START }, Vec::new());
    while failures.now < START + DAY * days {
        let CodeFailures { address, site, now } = &mut failures;
        (*address, *site) = (of_address(*address, *now), of_site(*site, *now));
        if !failures.are_too_many() {
            let counted = if is_site { &mut failures.site } else { &mut failures.address };
            *counted = plus_one(*counted, failures.now);
            judged.push(failures.now);
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
fn no_day_and_no_month_has_more_wrong_codes_for_an_address() {
    for interval in [1, 10, 29, 60, 700, 1500].map(Duration::from_mins) {
        let judged = judged(interval, 90, false);
        assert!(most_within(&judged, DAY) <= 50, "{interval:?}");
        assert!(most_within(&judged, CODE_FAILURE_RETENTION) <= 100, "{interval:?}");
    }
    assert_eq!(judged(Duration::from_mins(1), 3, false).len(), 100, "a day of rest between the fifties");
}

#[test]
fn site_is_refused_for_the_rest_of_the_day_only() {
    assert_eq!(judged(Duration::from_mins(1), 2, true).len(), 2000);
    assert_eq!(judged(Duration::from_mins(2), 30, true).len(), 720 * 30, "a busy site is never refused");
}
