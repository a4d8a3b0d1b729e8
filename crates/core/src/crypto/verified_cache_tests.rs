use super::*;
use crate::model::ids::{SessionId, UserId};
use std::time::Duration;
use uuid::Uuid;

const NOW: Time = Time::from_micros(1_800_000_000_000_000);

fn verified(number: u32) -> VerifiedToken {
    VerifiedToken {
        session: SessionId(Uuid::from_u128(number.into())),
        refresh_generation: 1,
        user: UserId(Uuid::nil()),
        audience: 0,
        issued_at: NOW,
        expires_at: NOW + Duration::from_mins(10),
    }
}

fn key(number: u32) -> CacheKey {
    VerifiedCache::key(&number.to_string())
}

fn insert(cache: &VerifiedCache, number: u32) {
    cache.insert(key(number), verified(number), NOW + Duration::from_mins(10));
}

#[test]
fn entry_is_returned_until_expiry() {
    let cache = VerifiedCache::new(100);
    insert(&cache, 1);
    assert_eq!(cache.get(&key(1), NOW), Some(verified(1)));
    assert_eq!(cache.get(&key(2), NOW), None);
    assert_eq!(cache.get(&key(1), NOW + Duration::from_micros(599_999_999)), Some(verified(1)));
    assert_eq!(cache.get(&key(1), NOW + Duration::from_mins(10)), None);
}

#[test]
fn cache_stays_within_capacity() {
    let cache = VerifiedCache::new(640);
    for number in 0..10_000 {
        insert(&cache, number);
        assert!(cache.len() <= 640);
    }
    assert!(cache.len() > 320);
}

#[test]
fn entries_within_capacity_are_not_evicted() {
    let cache = VerifiedCache::new(6400);
    (0..3200).for_each(|number| insert(&cache, number));
    for round in 0..3 {
        let lost = (0..3200).rev().filter(|number| cache.get(&key(*number), NOW) != Some(verified(*number)));
        assert_eq!(lost.count(), 0, "in round {round}");
    }
}

#[test]
fn used_entry_survives_flood() {
    let cache = VerifiedCache::new(640);
    insert(&cache, 0);
    for number in 1..10_000 {
        insert(&cache, number);
        assert_eq!(cache.get(&key(0), NOW), Some(verified(0)), "after {number}");
    }
}

#[test]
fn clear_removes_all_entries() {
    let cache = VerifiedCache::new(640);
    (0..500).for_each(|number| insert(&cache, number));
    cache.clear();
    assert!(cache.is_empty());
}
