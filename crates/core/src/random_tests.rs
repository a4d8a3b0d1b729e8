#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::model::time::Time;

#[test]
fn uuids_of_same_time_sort_by_counter() {
    let now = Time::from_micros(1_795_264_593_193_292);
    let ids: Vec<Uuid> = [1, 2, 63, 64, 255, 256, 16_383, 16_384, 65_536, 4_000_000, 67_000_000]
        .map(|counter| uuid_v7_with_counter(now, counter).unwrap())
        .to_vec();
    assert!(ids.is_sorted(), "{ids:?}");
    assert!(ids.iter().all(|id| id.get_version_num() == 7));
}

#[test]
fn uuids_of_same_millisecond_sort_by_micros() {
    let at = |micros: i64| Time::from_micros(1_795_264_593_193_000 + micros);
    let ids: Vec<Uuid> = [0, 1, 9, 10, 500, 999, 1000].map(|micros| uuid_v7_with_micros(at(micros)).unwrap()).to_vec();
    assert!(ids.is_sorted(), "{ids:?}");
}

#[test]
fn uuids_of_later_time_sort_after_any_counter() {
    let now = Time::from_micros(1_795_264_593_193_292);
    let later = now + std::time::Duration::from_millis(1);
    assert!(uuid_v7_with_counter(now, 60_000_000).unwrap() < uuid_v7_with_counter(later, 1).unwrap());
    assert_ne!(uuid_v7_with_counter(now, 1).unwrap(), uuid_v7_with_counter(now, 1).unwrap());
}
