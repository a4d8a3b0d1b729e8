use super::*;
use crate::model::ids::SessionId;
use uuid::Uuid;

const START: Time = Time::from_micros(1_800_000_000_000_000);

#[test]
fn burst_of_600_refreshes_passes_and_the_rest_is_refused() {
    let limits = MemoryBuckets::new(REFRESHES);
    let passed = (0..1000).filter(|_| limits.take(SessionId(Uuid::nil()), START).is_ok()).count();
    assert_eq!(passed, 600);
    assert_eq!(limits.take(SessionId(Uuid::nil()), START), Err(REFRESHES.refill_interval));
    assert!(limits.take(SessionId(Uuid::nil()), START + REFRESHES.refill_interval).is_ok());
    assert!(limits.take(SessionId(Uuid::from_u128(1)), START).is_ok());
}

#[test]
fn full_buckets_are_dropped_from_memory() {
    let limits = MemoryBuckets::new(REFRESHES);
    for number in 0..MAX_BUCKETS + 10 {
        let later = START + Duration::from_micros(number as u64 * 1000);
        assert!(limits.take(SessionId(Uuid::from_u128(number as u128)), later).is_ok());
    }
    let count = limits.buckets.lock().len();
    assert!(count < MAX_BUCKETS / 2, "{count} buckets");
}

#[test]
fn memory_is_bounded_while_no_bucket_is_full() {
    let limits = MemoryBuckets::new(WRONG_API_KEYS);
    for number in 0..MAX_BUCKETS + 10 {
        assert!(limits.take(number, START).is_ok());
    }
    let count = limits.buckets.lock().len();
    assert_eq!(count, MAX_BUCKETS);
    let passed = (0..100).filter(|_| limits.take(0, START).is_ok()).count();
    assert_eq!(passed, 29, "known ones are still counted");
}

#[test]
fn api_key_makes_200_changes_at_once_then_50_a_second() {
    let limits = MemoryBuckets::new(API_KEY_CHANGES);
    let passed = |at| (0..1000).filter(|_| limits.take("key", at).is_ok()).count();
    assert_eq!(passed(START), 200);
    assert_eq!(passed(START + Duration::from_secs(1)), 50);
}
