#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use super::*;
use crate::oidc::Asked;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio::sync::Notify;

const HOUR: Duration = Duration::from_hours(1);

fn fault() -> ProviderFault {
    ProviderFault::Malformed(Asked::Metadata)
}

#[test]
fn max_age_counts_within_limits() {
    let seconds = |header: &str| fresh_for(std::iter::once(header)).as_secs();
    let expected = [
        ("max-age=3600", 3600),
        ("public, Max-Age=7200, must-revalidate", 7200),
        ("max-age=\"600\"", 600),
        ("max-age=0", 300),
        ("max-age=299", 300),
        ("max-age=86401", 86400),
        ("max-age=99999999999999999999999", 86400),
        ("s-maxage=7200", 3600),
        ("max-age=-1", 3600),
        ("max-age=", 3600),
        ("max-age", 3600),
        ("no-store", 3600),
        ("", 3600),
    ];
    for (header, expected) in expected {
        assert_eq!(seconds(header), expected, "{header}");
    }
    assert_eq!(fresh_for(["no-cache", "max-age=400"].into_iter()).as_secs(), 400);
    assert_eq!(fresh_for(std::iter::empty()), HOUR);
}

#[tokio::test]
async fn document_is_fetched_again_when_it_is_old() {
    let (cached, clock, fetches) = (Cached::default(), Clock::system(), AtomicU32::new(0));
    let get = async || cached.get(&clock, async || Ok((fetches.fetch_add(1, Ordering::SeqCst), HOUR))).await;
    assert_eq!((*get().await.unwrap(), *get().await.unwrap()), (0, 0));
    clock.advance(Duration::from_mins(59));
    assert_eq!(*get().await.unwrap(), 0);
    clock.advance(Duration::from_mins(1));
    assert_eq!(*get().await.unwrap(), 1);
}

#[tokio::test]
async fn old_document_stays_good_for_a_day_while_fetching_fails() {
    let (cached, clock, fetches) = (Cached::default(), Clock::system(), AtomicU32::new(0));
    cached.get(&clock, async || Ok(("there", HOUR))).await.unwrap();
    let get = async || {
        let fail = async || {
            fetches.fetch_add(1, Ordering::SeqCst);
            Err(fault())
        };
        cached.get(&clock, fail).await.map(|value| *value)
    };
    clock.advance(HOUR);
    assert_eq!((get().await, get().await), (Ok("there"), Ok("there")));
    assert_eq!(fetches.load(Ordering::SeqCst), 1, "at most one attempt a minute");
    clock.advance(PAUSE);
    assert_eq!(get().await, Ok("there"));
    assert_eq!(fetches.load(Ordering::SeqCst), 2);
    clock.advance(Duration::from_mins(24 * 60 - 2));
    assert_eq!(get().await, Ok("there"), "a minute before the day ends");
    clock.advance(PAUSE);
    assert_eq!((get().await, get().await), (Err(fault()), Err(fault())));
    assert_eq!(fetches.load(Ordering::SeqCst), 5, "without a document each login tries");
    assert_eq!(*cached.get(&clock, async || Ok(("new", HOUR))).await.unwrap(), "new");
    assert_eq!(get().await, Ok("new"));
}

#[tokio::test]
async fn those_who_wait_share_one_fetch() {
    for fails in [false, true] {
        let (cached, clock) = (Arc::new(Cached::default()), Clock::system());
        let (fetches, gate) = (Arc::new(AtomicU32::new(0)), Arc::new(Notify::new()));
        let (outcomes, mut waiting) = (Arc::new(AtomicU32::new(0)), tokio::task::JoinSet::new());
        for _ in 0..30 {
            let (cached, clock, fetches, gate) = (cached.clone(), clock.clone(), fetches.clone(), gate.clone());
            let outcomes = outcomes.clone();
            waiting.spawn(async move {
                let fetch = async || {
                    fetches.fetch_add(1, Ordering::SeqCst);
                    gate.notified().await;
                    if fails { Err(fault()) } else { Ok((7, HOUR)) }
                };
                let expected = if fails { Err(fault()) } else { Ok(7) };
                assert_eq!(cached.get(&clock, fetch).await.map(|value| *value), expected);
                outcomes.fetch_add(1, Ordering::SeqCst);
            });
        }
        while fetches.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
        // Every task of this one thread has run up to the lock.
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        gate.notify_one();
        while let Some(ended) = waiting.join_next().await {
            ended.unwrap();
        }
        assert_eq!((fetches.load(Ordering::SeqCst), outcomes.load(Ordering::SeqCst)), (1, 30), "fails: {fails}");
    }
}

#[tokio::test]
async fn fetch_that_was_given_up_holds_up_nobody() {
    let (cached, clock) = (Cached::default(), Clock::system());
    let never = cached.get(&clock, async || std::future::pending().await);
    tokio::select! {
        biased;
        _ = never => unreachable!(),
        () = tokio::task::yield_now() => {}
    }
    assert_eq!(*cached.get(&clock, async || Ok((7, HOUR))).await.unwrap(), 7);
}

#[tokio::test]
async fn renewal_is_at_most_once_a_minute() {
    let (cached, clock, fetches) = (Cached::default(), Clock::system(), AtomicU32::new(0));
    let fetch = async || Ok((fetches.fetch_add(1, Ordering::SeqCst), HOUR));
    assert_eq!(*cached.get(&clock, fetch).await.unwrap(), 0);
    assert_eq!(cached.renewed(&clock, fetch).await.as_deref(), Some(&1));
    assert_eq!(cached.renewed(&clock, fetch).await.as_deref(), Some(&1), "what the last one brought");
    clock.advance(PAUSE);
    assert_eq!(cached.renewed(&clock, async || Err(fault())).await.as_deref(), Some(&1));
    clock.advance(PAUSE);
    assert_eq!(cached.renewed(&clock, fetch).await.as_deref(), Some(&2));
    assert_eq!(*cached.get(&clock, fetch).await.unwrap(), 2);
}
