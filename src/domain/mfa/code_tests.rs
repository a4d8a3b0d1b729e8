use super::*;
use crate::model::ids::UserId;

fn row(failures: i64) -> TotpRow {
    TotpRow {
        user_id: UserId(uuid::Uuid::nil()),
        secret: Vec::new(),
        created_at: Time::from_micros(0),
        confirmed_at: Some(Time::from_micros(0)),
        last_step: 0,
        failures,
        failed_at: (failures > 0).then_some(Time::from_micros(0)),
    }
}

/// The backoff after each number of wrong codes, in seconds.
fn backoffs(failures: impl IntoIterator<Item = i64>) -> Vec<u64> {
    let at = Time::from_micros(0);
    failures.into_iter().map(|count| remaining_backoff(&row(count), at).unwrap_or_default().as_secs()).collect()
}

#[test]
fn backoff_starts_after_free_failures_and_doubles() {
    assert_eq!(backoffs([0, 1, 9]), [0, 0, 0]);
    assert_eq!(backoffs(10..=17), [30, 60, 120, 240, 480, 960, 1920, 3600]);
    assert_eq!(backoffs([50, 99]), [3600, 3600]);
}

#[test]
fn backoff_ends_after_its_duration() {
    let after = |seconds: i64| remaining_backoff(&row(10), Time::from_micros(seconds * 1_000_000));
    assert_eq!(after(29), Some(Duration::from_secs(1)));
    assert_eq!(after(30), None);
}

#[test]
fn guessing_until_lockout_takes_days() {
    let days: u64 = backoffs(0..MAX_FAILURES).iter().sum::<u64>() / 86_400;
    assert_eq!(days, 3);
}
