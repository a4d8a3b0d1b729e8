//! Claims the deliveries that are due.

use super::backoff::Backoff;
use super::policy::POLL_INTERVAL;
use super::pool::Pool;
use super::shutdown::Shutdown;
use crate::model::time;
use crate::store::{self, Claimed, ClaimedBatch, Look, Queue};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How soon the claimer polls again after a claim below its limit. Usually nothing was left; but of processes that
/// claim concurrently, one may get less than there is.
const RECHECK_INTERVAL: Duration = Duration::from_millis(50);
/// The least time from a claim below its limit to the next, whatever the rate of wakeups: events of that time are
/// claimed, sent and settled together, which under load costs a fraction.
const MIN_CLAIM_INTERVAL: Duration = Duration::from_millis(20);
/// While events keep coming the interval doubles, up to this; an event then waits half of it on average.
const MAX_CLAIM_INTERVAL: Duration = Duration::from_millis(100);
/// The least time from a claim to the next where a slot is free for the next event of a subject, which waited for the
/// last one: one subject alone must not wait for the interval.
const TURN_INTERVAL: Duration = Duration::from_millis(4);

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
    let mut look = Look::Near;
    let mut woken = Woken::ByWork;
    loop {
        let Some(permit) = batch_permit(&pool, &claims, &mut shutdown).await else { return };
        let limit = pool.throttle.claim(pool.slots.available_permits());
        if limit == 0 {
            drop(permit);
            free_slot(&pool, &mut shutdown).await;
            continue;
        }
        let started = Instant::now();
        woken = match claim_when(woken, &pool, limit, look).await {
            Ok(batch) => {
                look = if batch.is_crowded { Look::Far } else { Look::Near };
                backoff.reset();
                pool.pass_turns(&batch.busy).await;
                let is_empty = batch.claimed.is_empty();
                if !is_empty {
                    let duration = started.elapsed();
                    pool.metrics.claim_time.observe(duration.as_secs_f64());
                    log(&pool, &batch.claimed, duration);
                    permit.send(batch.claimed);
                }
                if batch.is_full {
                    // There may be more than this process can send.
                    pool.local_wakeup.notify_one();
                    Woken::ByWork
                } else if is_empty {
                    idle(&pool, POLL_INTERVAL, &mut shutdown).await
                } else {
                    idle(&pool, RECHECK_INTERVAL, &mut shutdown).await;
                    pause(&pool, started, &mut interval, &mut shutdown).await;
                    Woken::ByWork
                }
            }
            Err(error) => {
                error.log(&format!("{} cannot be claimed", pool.policy.channel.plural()));
                drop(permit);
                backoff.pause(&mut shutdown).await;
                Woken::ByWork
            }
        };
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
            () = pool.turn_passed.notified() => pool.local_wakeup.notify_one(),
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
            () = pool.turn_passed.notified() => pool.local_wakeup.notify_one(),
        }
    }
}

/// Why the claimer goes on after a wait.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Woken {
    ByWork,
    /// Nothing was due before, and nobody has told of more since.
    ByTime,
}

/// As [`claim`]; who was woken by time alone reads first whether anything is due, as a claim is a write.
async fn claim_when(woken: Woken, pool: &Pool, limit: usize, look: Look) -> store::Result<ClaimedBatch> {
    if woken == Woken::ByWork || pool.oldest_overdue(Duration::ZERO).await?.is_some() {
        return claim(pool, limit, look).await;
    }
    pool.metrics.polls.inc();
    Ok(ClaimedBatch::default())
}

/// Claims up to `limit` deliveries. Those of the channel's later queues only take the slots that the first one leaves
/// free, and are never claimed ahead: however many of them wait, a delivery of the first queue is among the next.
async fn claim(pool: &Pool, limit: usize, look: Look) -> store::Result<ClaimedBatch> {
    let Some((first, others)) = pool.policy.channel.queues().split_first() else { return Ok(ClaimedBatch::default()) };
    let mut batch = claim_from(pool, *first, limit, look).await?;
    for queue in others {
        let room = pool.slots.available_permits().min(limit).saturating_sub(batch.claimed.len());
        match claim_from(pool, *queue, room, Look::Near).await {
            Ok(more) => batch.claimed.extend(more.claimed),
            Err(error) if batch.claimed.is_empty() => return Err(error),
            // What is claimed must be sent; the next round says if the database is still down.
            Err(_) => break,
        }
    }
    pool.metrics.polls.inc();
    Ok(batch)
}

async fn claim_from(pool: &Pool, queue: Queue, limit: usize, look: Look) -> store::Result<ClaimedBatch> {
    if limit == 0 {
        return Ok(ClaimedBatch::default());
    }
    let mut tx = pool.begin_claim(queue).await?;
    let batch = tx.outbox_claim(queue, limit, look).await?;
    tx.commit().await?;
    Ok(batch)
}

/// Waits for a wakeup, at most `max_wait`.
async fn idle(pool: &Pool, max_wait: Duration, shutdown: &mut Shutdown) -> Woken {
    tokio::select! {
        () = shutdown.requested() => {}
        () = pool.store.outbox_wakeup(pool.policy.channel).notified() => pool.local_wakeup.notify_one(),
        () = pool.remote_wakeup.notified() => {}
        // For the pause after it too.
        () = pool.turn_passed.notified() => pool.turn_passed.notify_one(),
        () = tokio::time::sleep(max_wait) => return Woken::ByTime,
    }
    Woken::ByWork
}

/// Waits for the rest of the interval since the last claim started; a shorter one where a turn is passed on, and a slot
/// free for it.
async fn pause(pool: &Pool, started: Instant, interval: &mut ClaimInterval, shutdown: &mut Shutdown) {
    let rest = interval.remaining(started.elapsed());
    tokio::select! {
        () = shutdown.sleep(rest) => {}
        () = turn_is_passed(pool) => shutdown.sleep(TURN_INTERVAL.saturating_sub(started.elapsed())).await,
    }
}

/// Returns when a turn was passed on and a slot is free for it.
async fn turn_is_passed(pool: &Pool) {
    loop {
        pool.turn_passed.notified().await;
        if pool.slots.available_permits() > 0 {
            return;
        }
    }
}

#[cfg(test)]
#[path = "claimer_tests.rs"]
mod tests;
