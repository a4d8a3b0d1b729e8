use super::*;
use uuid::Uuid;

const START: Time = Time::from_micros(1_800_000_000_000_000);

#[test]
fn two_hundred_refreshes_at_once_pass_and_a_thousand_do_not() {
    let limits = RefreshLimits::default();
    let passed = (0..1000).filter(|_| limits.take(SessionId(Uuid::nil()), START).is_ok()).count();
    assert_eq!(passed, 600);
    assert_eq!(limits.take(SessionId(Uuid::nil()), START), Err(REFILL));
    assert!(limits.take(SessionId(Uuid::nil()), START + REFILL).is_ok());
    assert!(limits.take(SessionId(Uuid::from_u128(1)), START).is_ok());
}

#[test]
fn the_memory_of_full_buckets_is_given_up() {
    let limits = RefreshLimits::default();
    for number in 0..MAX_BUCKETS + 10 {
        let later = START + Duration::from_micros(number as u64 * 1000);
        assert!(limits.take(SessionId(Uuid::from_u128(number as u128)), later).is_ok());
    }
    let kept = limits.buckets.lock().unwrap_or_else(PoisonError::into_inner).len();
    assert!(kept < MAX_BUCKETS / 2, "{kept} are kept");
}
