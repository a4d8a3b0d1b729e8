//! Takes back the claims of processes that died or hang.

use super::pool::Pool;
use super::shutdown::Shutdown;
use crate::store::{self, Channel, Queue, Reaped};
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

pub(super) async fn reap(pool: &Pool, shutdown: &Shutdown) -> store::Result<()> {
    for queue in pool.policy.channel.queues() {
        reap_from(pool, *queue, shutdown).await?;
    }
    pass_forgotten_turns(pool, shutdown).await
}

/// Those of the claims taken back, and those that a killed process, or one of the previous version, did not pass on.
async fn pass_forgotten_turns(pool: &Pool, shutdown: &Shutdown) -> store::Result<()> {
    let mut after = String::new();
    while !shutdown.is_requested() && pool.policy.channel == Channel::Webhook {
        let subjects = pool.read().await?.outbox_waiting_subjects(&after).await?;
        let Some(last) = subjects.last() else { return Ok(()) };
        after.clone_from(last);
        pool.pass_turns(&subjects).await;
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
