//! Claims of this process: starting their attempts, and releasing them.

use super::backoff::Backoff;
use super::pool::Pool;
use super::ready_queue::ClaimedDelivery;
use super::shutdown::Shutdown;
use crate::model::ids::DeliveryId;
use crate::store::{self, Lease, OUTBOX_BATCH};
use std::collections::HashSet;
use std::sync::Arc;
use tokio::time::Instant;

/// The number of tries to release claims after the shutdown signal; what remains is left to the reaper.
const MAX_ATTEMPTS_AFTER_SHUTDOWN: u32 = 3;

/// Starts an attempt of each; returns those whose lease was still valid.
///
/// After an error it is unknown whether the attempts were started, as the response of the database may have been lost.
/// They are released, which handles both cases, and are claimed again. A retry of the statement would find them started
/// and return none, so they would not be sent.
pub(super) async fn start(
    pool: Arc<Pool>,
    batch: Vec<ClaimedDelivery>,
    mut shutdown: Shutdown,
) -> Vec<ClaimedDelivery> {
    let leases: Vec<Lease> = batch.iter().map(|claimed| claimed.delivery.lease()).collect();
    match try_start(&pool, &leases).await {
        Ok(started) => retain_started(&pool, batch, &started),
        Err(error) => {
            tracing::warn!(error = %error, deliveries = leases.len(), "{} attempts cannot be started", channel(&pool));
            // While the database is down, claiming fails and backs off by itself; this pause precedes the first claim.
            Backoff::new().pause(&mut shutdown).await;
            release(&pool, &batch, &shutdown).await;
            Vec::new()
        }
    }
}

async fn try_start(pool: &Pool, leases: &[Lease]) -> store::Result<HashSet<DeliveryId>> {
    let mut tx = pool.begin_lease().await?;
    let started = tx.outbox_start(leases).await?;
    tx.commit().await?;
    Ok(started.into_iter().collect())
}

fn retain_started(pool: &Pool, batch: Vec<ClaimedDelivery>, started: &HashSet<DeliveryId>) -> Vec<ClaimedDelivery> {
    let since = Instant::now();
    let claimed = batch.len();
    let retained: Vec<ClaimedDelivery> = batch
        .into_iter()
        .filter(|claimed| started.contains(&claimed.delivery.id))
        .map(|claimed| ClaimedDelivery { delivery: claimed.delivery, since })
        .collect();
    let lost = claimed - retained.len();
    if lost > 0 {
        pool.metrics.lost_leases.inc_by(u64::try_from(lost).unwrap_or(u64::MAX));
        tracing::warn!(deliveries = lost, "{} claims were lost before their attempts started", channel(pool));
    }
    retained
}

/// Releases deliveries that were claimed, or started, but not sent; no attempt is used up. Retries while the leases
/// last.
pub(super) async fn release(pool: &Pool, batch: &[ClaimedDelivery], shutdown: &Shutdown) {
    let leases: Vec<Lease> = batch.iter().map(|claimed| claimed.delivery.lease()).collect();
    let started = Instant::now();
    if !leases.is_empty() {
        tracing::debug!(deliveries = leases.len(), "{} claims are released", channel(pool));
    }
    for leases in leases.chunks(OUTBOX_BATCH) {
        let (mut backoff, mut tries_after_shutdown) = (Backoff::new(), 0);
        while let Err(error) = try_release(pool, leases).await {
            tracing::warn!(error = %error, deliveries = leases.len(), "{} claims cannot be released", channel(pool));
            tries_after_shutdown += u32::from(shutdown.is_requested());
            if tries_after_shutdown == MAX_ATTEMPTS_AFTER_SHUTDOWN || started.elapsed() > pool.policy.stale_after {
                break;
            }
            backoff.pause_fully().await;
        }
    }
}

async fn try_release(pool: &Pool, leases: &[Lease]) -> store::Result<()> {
    let mut tx = pool.begin_lease().await?;
    tx.outbox_release(pool.policy.channel, leases).await?;
    tx.commit().await
}

fn channel(pool: &Pool) -> &'static str {
    pool.policy.channel.as_str()
}
