use super::*;

const START: Time = Time::from_micros(1_800_000_000_000_000);

/// The wait for an authenticator app after each number of wrong codes, in seconds.
fn waits(failures: impl IntoIterator<Item = i64>) -> Vec<u64> {
    failures.into_iter().map(|count| APP_CODES.wait_after(count).as_secs()).collect()
}

#[test]
fn wait_for_app_starts_after_free_failures_and_doubles() {
    assert_eq!(waits([0, 1, 9]), [0, 0, 0]);
    assert_eq!(waits(10..=17), [30, 60, 120, 240, 480, 960, 1920, 3600]);
    assert_eq!(waits([50, 99]), [3600, 3600]);
}

#[test]
fn refusal_ends_with_its_wait_unless_failures_must_be_cleared() {
    let refused = |count, after| APP_CODES.refused_until(Failures { count, at: START }, START + after);
    let wait = Duration::from_secs(30);
    assert_eq!(refused(10, Duration::from_secs(29)), Some(RefusedUntil::Time(START + wait)));
    assert_eq!(refused(10, wait), None);
    assert_eq!(refused(100, Duration::from_hours(24 * 365)), Some(RefusedUntil::Cleared));
}

#[test]
fn guessing_until_lockout_takes_days() {
    let days: u64 = waits(0..100).iter().sum::<u64>() / 86_400;
    assert_eq!(days, 3);
}

#[test]
fn wait_after_any_number_of_failures_is_bounded() {
    assert_eq!(PER_NAME.wait_after(i64::MAX), DAY);
    assert_eq!(PER_NAME_AND_NETWORK.wait_after(i64::MAX), Duration::from_mins(15));
}

#[test]
fn waiting_until_failures_are_forgotten_gains_no_attempts() {
    for batch in 1..=10 {
        let name = (0..batch).fold(LimitRow::fresh(uuid::Uuid::nil()), |name, _| PER_NAME.fail(name, START));
        let forgotten = name.expires_at.since(START);
        let rounds_a_year = u32::try_from((DAY * 360).as_secs() / forgotten.as_secs()).unwrap_or(u32::MAX);
        assert!(forgotten <= DAY * 90 && batch * rounds_a_year <= 40, "{batch} in {forgotten:?}");
    }
}
