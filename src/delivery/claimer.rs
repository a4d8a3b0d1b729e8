//! Claims the deliveries that are due.

use super::backoff::Backoff;
use super::pool::Pool;
use super::shutdown::Shutdown;
use crate::model::time;
use crate::store::{self, Claimed, Queue};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How often an idle claimer polls the outbox without a wakeup.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// How soon the claimer polls again after a claim below its limit. Usually nothing was left; but of processes that
/// claim concurrently, one may get less than there is.
const RECHECK_INTERVAL: Duration = Duration::from_millis(50);
/// The least time from a claim below its limit to the next, whatever the rate of wakeups: events of that time are
/// claimed, sent and settled together, which under load costs a fraction.
const MIN_CLAIM_INTERVAL: Duration = Duration::from_millis(20);
/// While events keep coming the interval doubles, up to this; an event then waits half of it on average.
const MAX_CLAIM_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two claims. The first event after an idle time is claimed at once.
struct ClaimInterval(Duration);

impl ClaimInterval {
    /// The rest of the interval when `elapsed` has passed since the last claim started.
    fn remaining(&mut self, elapsed: Duration) -> Duration {
        let remaining = self.0.saturating_sub(elapsed);
        self.0 = if remaining.is_zero() { MIN_CLAIM_INTERVAL } else { (self.0 * 2).min(MAX_CLAIM_INTERVAL) };
        remaining
    }
}

/// Runs until shutdown; a batch that it has claimed by then still goes to the dispatcher.
pub(super) async fn run(pool: Arc<Pool>, claims: mpsc::Sender<Vec<Claimed>>, mut shutdown: Shutdown) {
    let (mut backoff, mut interval) = (Backoff::new(), ClaimInterval(MIN_CLAIM_INTERVAL));
    loop {
        let Some(permit) = batch_permit(&pool, &claims, &mut shutdown).await else { return };
        let limit = pool.throttle.claim(pool.slots.available_permits());
        if limit == 0 {
            drop(permit);
            free_slot(&pool, &mut shutdown).await;
            continue;
        }
        let started = Instant::now();
        match claim(&pool, limit).await {
            Ok(Batch { claimed, .. }) if claimed.is_empty() => {
                backoff.reset();
                drop(permit);
                idle(&pool, POLL_INTERVAL, &mut shutdown).await;
            }
            Ok(Batch { claimed, is_full }) => {
                backoff.reset();
                let duration = started.elapsed();
                pool.metrics.claim_time.observe(duration.as_secs_f64());
                log(&pool, &claimed, duration);
                permit.send(claimed);
                if is_full {
                    // There may be more than this process can send.
                    pool.local_wakeup.notify_one();
                } else {
                    idle(&pool, RECHECK_INTERVAL, &mut shutdown).await;
                    shutdown.sleep(interval.remaining(started.elapsed())).await;
                }
            }
            Err(error) => {
                error.log(&format!("{} cannot be claimed", pool.policy.channel.plural()));
                drop(permit);
                backoff.pause(&mut shutdown).await;
            }
        }
    }
}

fn log(pool: &Pool, batch: &[Claimed], duration: Duration) {
    let channel = pool.policy.channel;
    for claim in batch {
        let (id, kind, lease) = (pool.log_id(claim.id), claim.kind.as_str(), claim.lease);
        tracing::trace!(id, kind, lease, "{} claimed", channel.as_str());
    }
    tracing::debug!(deliveries = batch.len(), micros = time::micros(duration), "{} claimed", channel.plural());
}

/// Waits until the dispatcher can take another batch; `None` at shutdown. Wakeups of that time go to other processes,
/// as this one is busy.
async fn batch_permit<'a>(
    pool: &Pool,
    claims: &'a mpsc::Sender<Vec<Claimed>>,
    shutdown: &mut Shutdown,
) -> Option<mpsc::Permit<'a, Vec<Claimed>>> {
    loop {
        tokio::select! {
            biased;
            () = shutdown.requested() => return None,
            permit = claims.reserve() => return permit.ok(),
            () = pool.store.outbox_wakeup(pool.policy.channel).notified() => pool.local_wakeup.notify_one(),
        }
    }
}

/// Waits until a slot is free, without taking it.
async fn free_slot(pool: &Pool, shutdown: &mut Shutdown) {
    loop {
        tokio::select! {
            biased;
            () = shutdown.requested() => return,
            // An error means that the semaphore is closed, which happens at shutdown only.
            slot = pool.slots.acquire() => return drop(slot),
            () = pool.store.outbox_wakeup(pool.policy.channel).notified() => pool.local_wakeup.notify_one(),
        }
    }
}

/// What one round has claimed.
#[derive(Default)]
struct Batch {
    claimed: Vec<Claimed>,
    /// Whether the first queue may have more.
    is_full: bool,
}

/// Claims up to `limit` deliveries. Those of the channel's later queues only take the slots that the first one leaves
/// free, and are never claimed ahead: however many of them wait, a delivery of the first queue is among the next.
async fn claim(pool: &Pool, limit: usize) -> store::Result<Batch> {
    let Some((first, others)) = pool.policy.channel.queues().split_first() else { return Ok(Batch::default()) };
    let mut claimed = claim_from(pool, *first, limit).await?;
    let is_full = claimed.len() >= limit;
    for queue in others {
        let room = pool.slots.available_permits().min(limit).saturating_sub(claimed.len());
        match claim_from(pool, *queue, room).await {
            Ok(batch) => claimed.extend(batch),
            Err(error) if claimed.is_empty() => return Err(error),
            // What is claimed must be sent; the next round says if the database is still down.
            Err(_) => break,
        }
    }
    pool.metrics.polls.inc();
    Ok(Batch { claimed, is_full })
}

async fn claim_from(pool: &Pool, queue: Queue, limit: usize) -> store::Result<Vec<Claimed>> {
    if limit == 0 {
        return Ok(Vec::new());
    }
    let mut tx = pool.begin_lease().await?;
    let claimed = tx.outbox_claim(queue, limit).await?;
    tx.commit().await?;
    Ok(claimed)
}

/// Waits for a wakeup, at most `max_wait`.
async fn idle(pool: &Pool, max_wait: Duration, shutdown: &mut Shutdown) {
    tokio::select! {
        () = shutdown.requested() => {}
        () = pool.store.outbox_wakeup(pool.policy.channel).notified() => pool.local_wakeup.notify_one(),
        () = pool.remote_wakeup.notified() => {}
        () = tokio::time::sleep(max_wait) => {}
    }
}

#[cfg(test)]
#[path = "claimer_tests.rs"]
mod tests;
