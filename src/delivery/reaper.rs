//! Takes back the claims of processes that died or hang.

use super::pool::Pool;
use super::stop::Stop;
use crate::store::{self, Reaped};
use std::sync::Arc;

pub(super) async fn run(pool: Arc<Pool>, mut stop: Stop) {
    while !stop.is_given() {
        // At the start, too: the process before this one may have been killed.
        if let Err(error) = reap(&pool, &stop).await {
            tracing::warn!(error = %error, "stale {} cannot be restored", pool.policy.channel.plural());
        }
        stop.sleep(pool.policy.reaper_interval).await;
    }
}

/// Takes back all that are stale.
pub(super) async fn reap(pool: &Pool, stop: &Stop) -> store::Result<()> {
    while !stop.is_given() {
        let mut tx = pool.store.begin().await?;
        let policy = &pool.policy;
        let reaped = tx.outbox_reap(policy.channel, policy.stale_after, policy.max_attempts).await?;
        tx.commit().await?;
        if reaped.is_empty() {
            return Ok(());
        }
        for claim in &reaped {
            note(pool, claim);
        }
    }
    Ok(())
}

fn note(pool: &Pool, claim: &Reaped) {
    pool.figures.reaped.add(1);
    if claim.started {
        pool.figures.attempts.add("interrupted");
    }
    let (id, attempts, started) = (pool.name(claim.id), claim.attempts, claim.started);
    let channel = pool.policy.channel.as_str();
    if claim.failed {
        pool.figures.failed.add(1);
        tracing::warn!(id, attempts, "{channel} failed: its last attempt was interrupted");
    } else {
        tracing::warn!(id, attempts, started, "{channel} restored: its claim had run out");
    }
}
