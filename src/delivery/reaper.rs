//! Takes back the claims of processes that died or hang.

use super::pool::Pool;
use super::shutdown::Shutdown;
use crate::store::{self, Queue, Reaped};
use std::sync::Arc;

pub(super) async fn run(pool: Arc<Pool>, mut shutdown: Shutdown) {
    while !shutdown.is_requested() {
        // Also at startup, as the previous process may have been killed.
        if let Err(error) = reap(&pool, &shutdown).await {
            error.log(&format!("stale {} cannot be restored", pool.policy.channel.plural()));
        }
        shutdown.sleep(pool.policy.reaper_interval).await;
    }
}

/// Takes back all stale claims.
pub(super) async fn reap(pool: &Pool, shutdown: &Shutdown) -> store::Result<()> {
    for queue in pool.policy.channel.queues() {
        reap_from(pool, *queue, shutdown).await?;
    }
    Ok(())
}

async fn reap_from(pool: &Pool, queue: Queue, shutdown: &Shutdown) -> store::Result<()> {
    while !shutdown.is_requested() {
        let mut tx = pool.begin().await?;
        let policy = &pool.policy;
        let reaped = tx.outbox_reap(queue, policy.stale_after, policy.max_attempts).await?;
        tx.commit().await?;
        if reaped.is_empty() {
            return Ok(());
        }
        for claim in &reaped {
            log(pool, claim);
        }
    }
    Ok(())
}

fn log(pool: &Pool, claim: &Reaped) {
    pool.metrics.reaped.inc();
    if claim.started {
        pool.metrics.count_attempt("interrupted");
    }
    let (id, attempts, started) = (pool.log_id(claim.id), claim.attempts, claim.started);
    let channel = pool.policy.channel.as_str();
    if claim.failed {
        pool.metrics.failed.inc();
        tracing::warn!(id, attempts, "{channel} failed: its last attempt was interrupted");
    } else {
        tracing::warn!(id, attempts, started, "{channel} restored: its claim had expired");
    }
}
