//! Claims that this process holds: beginning their attempts, or giving them back.

use super::backoff::Backoff;
use super::pool::Pool;
use super::started::Held;
use super::stop::Stop;
use crate::model::ids::EventId;
use crate::store::{self, Lease, OUTBOX_BATCH};
use std::collections::HashSet;
use std::sync::Arc;
use tokio::time::Instant;

/// So often giving back is tried after the signal to stop; what cannot be given back is left to the reaper.
const LAST_TRIES: u32 = 3;

/// Begins an attempt of each; returns those that were still ours.
///
/// After an error it is not known whether the attempts were begun: the answer of the database may have been lost. They
/// are given back, which takes that into account, to be claimed anew; were the statement repeated, it would find them
/// begun and nobody would send them.
pub(super) async fn start(pool: Arc<Pool>, batch: Vec<Held>, mut stop: Stop) -> Vec<Held> {
    let leases: Vec<Lease> = batch.iter().map(|held| held.delivery.held()).collect();
    match begin(&pool, &leases).await {
        Ok(begun) => keep(&pool, batch, &begun),
        Err(error) => {
            tracing::warn!(error = %error, events = leases.len(), "{} attempts cannot be begun", channel(&pool));
            // While the database is away, claiming fails and pauses by itself; here the first pause is for both.
            Backoff::new().pause(&mut stop).await;
            release(&pool, &batch, &stop).await;
            Vec::new()
        }
    }
}

async fn begin(pool: &Pool, leases: &[Lease]) -> store::Result<HashSet<EventId>> {
    let mut tx = pool.store.begin_lease().await?;
    let begun = tx.outbox_start(leases).await?;
    tx.commit().await?;
    Ok(begun.into_iter().collect())
}

fn keep(pool: &Pool, batch: Vec<Held>, begun: &HashSet<EventId>) -> Vec<Held> {
    let since = Instant::now();
    let asked = batch.len();
    let kept: Vec<Held> = batch
        .into_iter()
        .filter(|held| begun.contains(&held.delivery.id))
        .map(|held| Held { delivery: held.delivery, since })
        .collect();
    if kept.len() < asked {
        pool.figures.lost_leases.add_len(asked - kept.len());
        tracing::warn!(events = asked - kept.len(), "{} claims were lost before their attempts began", channel(pool));
    }
    kept
}

/// Gives back what was claimed, or begun, but not sent; no attempt is used up. Tries again as long as the claims last.
pub(super) async fn release(pool: &Pool, batch: &[Held], stop: &Stop) {
    let leases: Vec<Lease> = batch.iter().map(|held| held.delivery.held()).collect();
    let began = Instant::now();
    if !leases.is_empty() {
        tracing::debug!(events = leases.len(), "{} claims are given back", channel(pool));
    }
    for leases in leases.chunks(OUTBOX_BATCH) {
        let (mut backoff, mut last_tries) = (Backoff::new(), 0);
        while let Err(error) = give_back(pool, leases).await {
            tracing::warn!(error = %error, events = leases.len(), "{} claims cannot be given back", channel(pool));
            last_tries += u32::from(stop.is_given());
            if last_tries == LAST_TRIES || began.elapsed() > pool.policy.stale_after {
                break;
            }
            backoff.pause_fully().await;
        }
    }
}

async fn give_back(pool: &Pool, leases: &[Lease]) -> store::Result<()> {
    let mut tx = pool.store.begin_lease().await?;
    tx.outbox_release(pool.policy.channel, leases).await?;
    tx.commit().await
}

fn channel(pool: &Pool) -> &'static str {
    pool.policy.channel.as_str()
}
