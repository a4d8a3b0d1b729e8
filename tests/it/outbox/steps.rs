//! The steps of a delivery, each in its own transaction.

use super::fixture::seconds;
use crate::harness::{begin, begin_autocommit, begin_claim};
use doorward::store::{
    Attempt, Channel, Claimed, ClaimedBatch, Finished, Lease, Look, Next, Queue, Reaped, Settlement, Store,
};
use std::time::Duration;

/// The time after which a claim is stale.
pub const LEASE_TTL: Duration = seconds(120);

pub async fn claim(store: &Store, limit: usize) -> Vec<Claimed> {
    claim_looking(store, limit, Look::Near).await.claimed
}

pub async fn claim_looking(store: &Store, limit: usize, look: Look) -> ClaimedBatch {
    let mut tx = begin_claim(store, Queue::Webhook).await;
    let batch = tx.outbox_claim(Queue::Webhook, limit, look).await.unwrap();
    tx.commit().await.unwrap();
    batch
}

pub async fn start(store: &Store, claimed: &[Claimed]) -> usize {
    let leases: Vec<Lease> = claimed.iter().map(Claimed::lease).collect();
    let mut tx = begin_autocommit(store).await;
    let started = tx.outbox_start(&leases).await.unwrap();
    tx.commit().await.unwrap();
    started.len()
}

pub async fn settle(store: &Store, claimed: &[Claimed], next: Next) -> usize {
    let settlements: Vec<Settlement> = claimed.iter().map(|one| settlement(store, one, next)).collect();
    let mut tx = begin(store).await;
    let settled = tx.outbox_settle(Channel::Webhook, &settlements).await.unwrap();
    tx.commit().await.unwrap();
    settled.len()
}

pub fn settlement(store: &Store, claimed: &Claimed, next: Next) -> Settlement {
    let attempt = Attempt {
        number: claimed.attempts + 1,
        started_at: store.clock().now(),
        duration: Duration::from_millis(3),
        outcome: "delivered",
        status: Some(204),
        response: b"thanks".to_vec(),
    };
    Settlement { lease: claimed.lease(), next, attempt }
}

pub async fn reap(store: &Store, max_attempts: u32) -> Vec<Reaped> {
    let mut tx = begin(store).await;
    let reaped = tx.outbox_reap(Queue::Webhook, LEASE_TTL, max_attempts).await.unwrap();
    tx.commit().await.unwrap();
    reaped
}

pub async fn clean(store: &Store, finished: Finished, batch: u32) -> u64 {
    let mut tx = begin_autocommit(store).await;
    let removed = tx.outbox_clean(Queue::Webhook, finished, seconds(60), batch).await.unwrap();
    tx.commit().await.unwrap();
    removed
}
