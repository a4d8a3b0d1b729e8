//! Takes what is due out of the outbox.

use super::backoff::Backoff;
use super::pool::Pool;
use super::stop::Stop;
use crate::store::{self, Claimed};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::Instant;

/// How long an idle claimer waits when nobody wakes it (interface.md 4.6).
const POLL: Duration = Duration::from_secs(1);

/// After a claim that did not take all that it might, the claimer looks again so soon. Mostly it has taken all there
/// was; but where processes claim side by side, one may get less than there is.
const SECOND_LOOK: Duration = Duration::from_millis(50);
/// However often it is woken, two claims that do not find all they may are so far apart: what happens meanwhile is
/// claimed, sent and written down together, which under load costs a fraction.
const FIRST_GAP: Duration = Duration::from_millis(20);
/// While events keep coming the gap doubles, up to this; half of it is what an event then waits on average.
const LONGEST_GAP: Duration = Duration::from_millis(100);

/// The time between two claims. The first event after a quiet moment is claimed at once.
struct Gap(Duration);

impl Gap {
    /// What is left of it, so long after the last claim began.
    fn left(&mut self, since: Duration) -> Duration {
        let left = self.0.saturating_sub(since);
        self.0 = if left.is_zero() { FIRST_GAP } else { (self.0 * 2).min(LONGEST_GAP) };
        left
    }
}

/// Runs until the signal to stop; what it has claimed by then, it still hands over.
pub(super) async fn run(pool: Arc<Pool>, claims: mpsc::Sender<Vec<Claimed>>, mut stop: Stop) {
    let (mut backoff, mut gap) = (Backoff::new(), Gap(FIRST_GAP));
    loop {
        let Some(room) = room(&pool, &claims, &mut stop).await else { return };
        let limit = pool.pace.claim(pool.slots.available_permits());
        if limit == 0 {
            drop(room);
            slot(&pool, &mut stop).await;
            continue;
        }
        let began = Instant::now();
        match claim(&pool, limit).await {
            Ok(batch) if batch.is_empty() => {
                backoff.reset();
                drop(room);
                idle(&pool, POLL, &mut stop).await;
            }
            Ok(batch) => {
                backoff.reset();
                let took = began.elapsed();
                pool.figures.claim_time.observe(took);
                note(&pool, &batch, took);
                let is_full = batch.len() >= limit;
                room.send(batch);
                if is_full {
                    // There may be more than this process can send.
                    pool.herald.notify_one();
                } else {
                    idle(&pool, SECOND_LOOK, &mut stop).await;
                    stop.sleep(gap.left(began.elapsed())).await;
                }
            }
            Err(error) => {
                tracing::warn!(error = %error, "{} cannot be claimed", pool.policy.channel.plural());
                drop(room);
                backoff.pause(&mut stop).await;
            }
        }
    }
}

fn note(pool: &Pool, batch: &[Claimed], took: Duration) {
    let channel = pool.policy.channel;
    for claim in batch {
        let (id, kind, lease) = (pool.name(claim.id), claim.kind.as_str(), claim.lease);
        tracing::trace!(id, kind, lease, "{} claimed", channel.as_str());
    }
    tracing::debug!(events = batch.len(), micros = took.as_micros(), "{} claimed", channel.plural());
}

/// Waits until the dispatcher can take another batch; `None` at the signal to stop. What is recorded meanwhile is for
/// other processes: this one is busy.
async fn room<'a>(
    pool: &Pool,
    claims: &'a mpsc::Sender<Vec<Claimed>>,
    stop: &mut Stop,
) -> Option<mpsc::Permit<'a, Vec<Claimed>>> {
    loop {
        tokio::select! {
            biased;
            () = stop.given() => return None,
            room = claims.reserve() => return room.ok(),
            () = pool.store.outbox_bell(pool.policy.channel).notified() => pool.herald.notify_one(),
        }
    }
}

/// Waits until a slot is free; leaves it to the dispatcher.
async fn slot(pool: &Pool, stop: &mut Stop) {
    loop {
        tokio::select! {
            biased;
            () = stop.given() => return,
            // An error means that there are no more slots; then there is a signal to stop, too.
            slot = pool.slots.acquire() => return drop(slot),
            () = pool.store.outbox_bell(pool.policy.channel).notified() => pool.herald.notify_one(),
        }
    }
}

async fn claim(pool: &Pool, limit: usize) -> store::Result<Vec<Claimed>> {
    let mut tx = pool.store.begin_lease().await?;
    let claimed = tx.outbox_claim(pool.policy.channel, limit).await?;
    tx.commit().await?;
    Ok(claimed)
}

/// Waits until there may be something to claim, at most `longest`.
async fn idle(pool: &Pool, longest: Duration, stop: &mut Stop) {
    tokio::select! {
        () = stop.given() => {}
        () = pool.store.outbox_bell(pool.policy.channel).notified() => pool.herald.notify_one(),
        () = pool.heard.notified() => {}
        () = tokio::time::sleep(longest) => {}
    }
}

#[cfg(test)]
#[path = "claimer_tests.rs"]
mod tests;
