use super::*;
use crate::store::plan::plan;

#[test]
fn counts_are_found_by_their_key() {
    assert_eq!(plan(SINCE), ["SEARCH hourly_counts USING PRIMARY KEY (hour>?)"]);
    let deleted = plan(DELETE_OLD);
    assert!(deleted.iter().all(|step| !step.starts_with("SCAN hourly_counts")), "{deleted:?}");
}

#[test]
fn hour_begins_at_its_full_hour() {
    assert_eq!(hour_of(Time::from_micros(2 * HOUR_MICROS + 1)), Time::from_micros(2 * HOUR_MICROS));
    assert_eq!(hour_of(Time::from_micros(3 * HOUR_MICROS)), Time::from_micros(3 * HOUR_MICROS));
}

#[test]
fn counts_of_a_restarted_counter_are_not_negative() {
    let mut counts = SeriesCounts::default();
    counts.add(HourlySeries::Mails, 2);
    assert_eq!(SeriesCounts::default().since(&counts), SeriesCounts::default());
    assert_eq!((counts.of(HourlySeries::Mails), counts.of(HourlySeries::Logins)), (2, 0));
}
