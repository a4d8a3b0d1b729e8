//! Removes finished deliveries after their retention.

use super::pool::Pool;
use super::shutdown::Shutdown;
use crate::model::principal::Operation;
use crate::store::{self, Channel, Finished, Queue};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

#[derive(Clone, Copy)]
enum Old {
    /// The deliveries of a queue that finished so, once this time is over.
    Deliveries(Queue, Finished, Duration),
    /// What is kept for the order of events.
    Subjects,
}

pub(super) async fn run(pool: Arc<Pool>, mut shutdown: Shutdown) {
    while !shutdown.is_requested() {
        let (delivered, failed) = (pool.policy.delivered_retention, pool.policy.failed_retention);
        for (finished, retention) in [(Finished::Delivered, delivered), (Finished::Failed, failed)] {
            for queue in pool.policy.channel.queues() {
                if let Err(error) = clean(&pool, Old::Deliveries(*queue, finished, retention), &mut shutdown).await {
                    error.log(&format!("finished {} cannot be removed", pool.policy.channel.plural()));
                }
            }
        }
        if pool.policy.channel == Channel::Webhook
            && let Err(error) = clean(&pool, Old::Subjects, &mut shutdown).await
        {
            error.log("the times of old events cannot be removed");
        }
        shutdown.sleep(pool.policy.cleanup_interval).await;
    }
}

/// Removes batch after batch. The pause after each is as long as the batch took, so that deliveries continue in
/// between.
async fn clean(pool: &Pool, old: Old, shutdown: &mut Shutdown) -> store::Result<()> {
    let batch = pool.policy.cleanup_batch;
    while !shutdown.is_requested() {
        let started = Instant::now();
        let mut tx = pool.store.begin_autocommit(&pool.principal, Operation::CleanUp).await?;
        let removed = match old {
            Old::Deliveries(queue, finished, retention) => tx.outbox_clean(queue, finished, retention, batch).await?,
            Old::Subjects => tx.outbox_clean_subjects(batch).await?,
        };
        tx.commit().await?;
        if let Old::Deliveries(_, finished, _) = old
            && removed > 0
        {
            pool.metrics.cleaned.inc_by(removed);
            let channel = pool.policy.channel.plural();
            tracing::debug!(deliveries = removed, state = ?finished, "finished {channel} removed");
        }
        if removed < u64::from(batch) {
            return Ok(());
        }
        shutdown.sleep(started.elapsed()).await;
    }
    Ok(())
}
