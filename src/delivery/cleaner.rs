//! Removes finished deliveries after their time.

use super::pool::Pool;
use super::stop::Stop;
use crate::store::{self, Finished};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

pub(super) async fn run(pool: Arc<Pool>, mut stop: Stop) {
    while !stop.is_given() {
        let (delivered, failed) = (pool.policy.delivered_retention, pool.policy.failed_retention);
        for (finished, retention) in [(Finished::Delivered, delivered), (Finished::Failed, failed)] {
            if let Err(error) = clean(&pool, finished, retention, &mut stop).await {
                tracing::warn!(error = %error, "finished {} cannot be removed", pool.policy.channel.plural());
            }
        }
        stop.sleep(pool.policy.cleanup_interval).await;
    }
}

/// Removes batch after batch, with a pause as long as the batch took, so that deliveries go on in between.
async fn clean(pool: &Pool, finished: Finished, retention: Duration, stop: &mut Stop) -> store::Result<()> {
    let batch = pool.policy.cleanup_batch;
    while !stop.is_given() {
        let began = Instant::now();
        let mut tx = pool.store.begin_single().await?;
        let removed = tx.outbox_clean(pool.policy.channel, finished, retention, batch).await?;
        tx.commit().await?;
        if removed > 0 {
            pool.figures.cleaned.add(removed);
            tracing::debug!(events = removed, state = ?finished, "finished {} removed", pool.policy.channel.plural());
        }
        if removed < u64::from(batch) {
            return Ok(());
        }
        stop.sleep(began.elapsed()).await;
    }
    Ok(())
}
