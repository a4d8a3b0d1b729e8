//! The statements of the outbox: leases and fencing of claims.

use super::fixture::{Outbox, seconds};
use super::steps::{LEASE_TTL, claim, clean, reap, settle, start};
use crate::harness::{Engine, begin, begin_autocommit, read};
use doorward::model::change::AccountChange;
use doorward::model::ids::UserId;
use doorward::random;
use doorward::store::{Channel, Claimed, Finished, Lease, Next, OUTBOX_BATCH, Queue};
use std::time::Duration;

both_engines![
    claims_return_oldest_events_once,
    events_share_transaction_of_their_action,
    lost_lease_changes_nothing,
    reaper_counts_no_attempt_for_unstarted_claim,
    reaper_fails_event_without_attempts_left,
    released_claims_lose_nothing,
    batches_of_any_size_are_started_and_settled,
    old_events_are_removed_in_batches,
    overdue_events_are_counted,
];

async fn claims_return_oldest_events_once(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    for _ in 0..10 {
        outbox.push(1).await;
        outbox.clock.advance(Duration::from_millis(1));
    }
    let other = outbox.other_store().await;
    let mut all = claim(&outbox.store, 4).await;
    all.extend(claim(&other, 4).await);
    all.extend(claim(&outbox.store, 4).await);
    assert_eq!(all.len(), 10);
    assert!(all.is_sorted_by_key(|one| (one.due_at, one.id)));
    assert!(all.windows(2).all(|pair| pair[0].due_at < pair[1].due_at));
    assert!(claim(&other, 4).await.is_empty());
}

async fn events_share_transaction_of_their_action(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    // One, a few, and more than fit into one statement.
    for count in [1, 3, 8, 21] {
        let users: Vec<UserId> = (0..count).map(|_| UserId(random::uuid_v4().unwrap())).collect();
        for is_committed in [false, true] {
            let mut tx = begin(&outbox.store).await;
            for user_id in &users {
                tx.record_account(*user_id, AccountChange::EmailRespelled).await.unwrap();
            }
            if is_committed { tx.commit().await.unwrap() } else { tx.rollback().await.unwrap() }
        }
        let claimed = claim(&outbox.store, 64).await;
        assert_eq!(claimed.len(), count, "rolled-back events are absent");
        for (user_id, claimed) in users.iter().zip(&claimed) {
            let body: serde_json::Value = serde_json::from_slice(&claimed.payload).unwrap();
            assert_eq!(body["data"]["user_id"], user_id.to_string(), "in the order of the action");
            assert_eq!(body["id"], claimed.id.event().wire());
        }
    }
}

async fn lost_lease_changes_nothing(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(1).await;
    let first = claim(&outbox.store, 1).await;
    assert_eq!(start(&outbox.store, &first).await, 1);
    assert_eq!(start(&outbox.store, &first).await, 0, "an attempt starts once");
    outbox.clock.advance(LEASE_TTL + seconds(1));
    assert_eq!(reap(&outbox.store, 3).await.len(), 1);
    assert_eq!(settle(&outbox.store, &first, Next::Delivered).await, 0, "while it is pending");
    let second = claim(&outbox.store, 1).await;
    assert!(second[0].interrupted);
    assert_eq!(settle(&outbox.store, &first, Next::Delivered).await, 0, "while another has claimed it");
    assert_eq!(start(&outbox.store, &first).await, 0);
    assert_eq!(start(&outbox.store, &second).await, 1);
    assert_eq!(settle(&outbox.store, &second, Next::Failed).await, 1);
    assert_eq!(settle(&outbox.store, &first, Next::Delivered).await, 0, "after another has settled it");
    assert_eq!(outbox.count_where("outbox", "state = 'failed' AND attempts = 2 AND lease = 2").await, 1);
    assert_eq!(outbox.count_where("outbox_attempts", "lease = 1 AND outcome = 'interrupted'").await, 1);
    assert_eq!(outbox.count_where("outbox_attempts", "lease = 2 AND outcome = 'delivered'").await, 1);
}

async fn reaper_counts_no_attempt_for_unstarted_claim(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(2).await;
    let claimed = claim(&outbox.store, 2).await;
    start(&outbox.store, &claimed[..1]).await;
    outbox.clock.advance(seconds(115));
    assert!(reap(&outbox.store, 3).await.is_empty());
    outbox.clock.advance(seconds(6));
    assert_eq!(reap(&outbox.store, 3).await.len(), 2);
    assert_eq!(outbox.count_where("outbox", "state = 'pending' AND attempts = 0 AND interrupted IS FALSE").await, 1);
    assert_eq!(outbox.count_where("outbox", "state = 'pending' AND attempts = 1 AND interrupted IS TRUE").await, 1);
    assert_eq!(outbox.count_where("outbox_attempts", "outcome = 'interrupted'").await, 1);
    let again = claim(&outbox.store, 2).await;
    assert_eq!(again[0].id, claimed[1].id, "an unstarted claim keeps its place");
}

async fn reaper_fails_event_without_attempts_left(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(1).await;
    for attempt in 1..=2 {
        let claimed = claim(&outbox.store, 1).await;
        assert_eq!(start(&outbox.store, &claimed).await, 1);
        outbox.clock.advance(LEASE_TTL + seconds(1));
        let reaped = reap(&outbox.store, 2).await;
        assert_eq!(reaped[0].failed, attempt == 2);
    }
    assert_eq!(outbox.count_where("outbox", "state = 'failed' AND finished_at IS NOT NULL").await, 1);
    assert!(claim(&outbox.store, 1).await.is_empty());
}

async fn released_claims_lose_nothing(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(3).await;
    let claimed = claim(&outbox.store, 3).await;
    start(&outbox.store, &claimed[..1]).await;
    let leases: Vec<Lease> = claimed.iter().map(Claimed::lease).collect();
    let mut tx = begin_autocommit(&outbox.store).await;
    assert_eq!(tx.outbox_release(Channel::Webhook, &leases).await.unwrap(), 3);
    tx.commit().await.unwrap();
    assert_eq!(outbox.count_where("outbox", "state = 'pending' AND attempts = 0").await, 3);
    assert_eq!(settle(&outbox.store, &claimed, Next::Delivered).await, 0);
    let again = claim(&outbox.store, 3).await;
    assert!(again.iter().map(|one| one.id).eq(claimed.iter().map(|one| one.id)), "in the same order");
}

async fn batches_of_any_size_are_started_and_settled(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    for size in [1, 3, 5, 9, 33, 64, 100, OUTBOX_BATCH] {
        outbox.push(size).await;
        let claimed = claim(&outbox.store, OUTBOX_BATCH).await;
        assert_eq!(claimed.len(), size);
        assert_eq!(start(&outbox.store, &claimed).await, size);
        let later = Next::Retry { after: seconds(3600) };
        assert_eq!(settle(&outbox.store, &claimed, later).await, size);
    }
    assert_eq!(outbox.count_where("outbox", "state = 'pending' AND attempts = 1 AND finished_at IS NULL").await, 343);
    assert_eq!(outbox.count_where("outbox_attempts", "attempt = 1 AND lease = 1").await, 343);
    outbox.clock.advance(seconds(3500));
    assert!(claim(&outbox.store, OUTBOX_BATCH).await.is_empty());
    outbox.clock.advance(seconds(101));
    assert_eq!(claim(&outbox.store, 1000).await.len(), OUTBOX_BATCH);
}

async fn old_events_are_removed_in_batches(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(6).await;
    let claimed = claim(&outbox.store, 5).await;
    start(&outbox.store, &claimed).await;
    settle(&outbox.store, &claimed[..3], Next::Delivered).await;
    settle(&outbox.store, &claimed[3..], Next::Failed).await;
    outbox.clock.advance(seconds(55));
    assert_eq!(clean(&outbox.store, Finished::Delivered, 2).await, 0);
    outbox.clock.advance(seconds(6));
    assert_eq!(clean(&outbox.store, Finished::Delivered, 2).await, 2);
    assert_eq!(clean(&outbox.store, Finished::Delivered, 2).await, 1);
    assert_eq!(outbox.count("failed").await, 2);
    assert_eq!(outbox.count_where("outbox_attempts", "1 = 1").await, 2, "attempts go with their event");
    assert_eq!(clean(&outbox.store, Finished::Failed, 2).await, 2);
    assert_eq!(outbox.count("pending").await, 1);
}

async fn overdue_events_are_counted(engine: Engine) {
    let outbox = Outbox::new(engine).await;
    outbox.push(1).await;
    let overdue = async || read(&outbox.store).await.outbox_overdue(Queue::Webhook, seconds(300)).await.unwrap();
    assert_eq!(overdue().await, None);
    outbox.clock.advance(seconds(301));
    assert!(overdue().await.is_some());
    let mut conn = read(&outbox.store).await;
    let oldest = conn.outbox_oldest(Queue::Webhook).await.unwrap().unwrap();
    assert!(oldest.age >= seconds(301) && oldest.overdue >= seconds(301), "{oldest:?}");
    assert_eq!(conn.outbox_count_due(Queue::Webhook, seconds(300), 10).await.unwrap(), 1);
    assert_eq!(conn.outbox_count_due(Queue::Webhook, seconds(400), 10).await.unwrap(), 0);
    drop(conn);
    outbox.push(3).await;
    assert_eq!(read(&outbox.store).await.outbox_count_due(Queue::Webhook, seconds(0), 2).await.unwrap(), 2);
}
