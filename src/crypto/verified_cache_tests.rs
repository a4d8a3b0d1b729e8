use super::*;
use crate::model::ids::{SessionId, UserId};
use std::time::Duration;
use uuid::Uuid;

const NOW: Time = Time::from_micros(1_800_000_000_000_000);

fn verified(number: u32) -> Verified {
    Verified {
        session: SessionId(Uuid::from_u128(number.into())),
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
fn what_was_put_in_comes_out_until_its_time() {
    let cache = VerifiedCache::new(100);
    insert(&cache, 1);
    assert_eq!(cache.get(&key(1), NOW), Some(verified(1)));
    assert_eq!(cache.get(&key(2), NOW), None);
    assert_eq!(cache.get(&key(1), NOW + Duration::from_micros(599_999_999)), Some(verified(1)));
    assert_eq!(cache.get(&key(1), NOW + Duration::from_mins(10)), None);
}

#[test]
fn it_never_grows_beyond_its_capacity() {
    let cache = VerifiedCache::new(640);
    for number in 0..10_000 {
        insert(&cache, number);
        assert!(cache.len() <= 640);
    }
    assert!(cache.len() > 320);
}

#[test]
fn what_fits_stays_however_it_is_asked_for() {
    let cache = VerifiedCache::new(6400);
    (0..3200).for_each(|number| insert(&cache, number));
    for round in 0..3 {
        let lost = (0..3200).rev().filter(|number| cache.get(&key(*number), NOW) != Some(verified(*number)));
        assert_eq!(lost.count(), 0, "in round {round}");
    }
}

#[test]
fn what_is_in_use_survives_a_flood_of_others() {
    let cache = VerifiedCache::new(640);
    insert(&cache, 0);
    for number in 1..10_000 {
        insert(&cache, number);
        assert_eq!(cache.get(&key(0), NOW), Some(verified(0)), "after {number}");
    }
}

#[test]
fn clearing_forgets_everything() {
    let cache = VerifiedCache::new(640);
    (0..500).for_each(|number| insert(&cache, number));
    cache.clear();
    assert!(cache.is_empty());
}
