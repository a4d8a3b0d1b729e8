//! Warns when deliveries are overdue.

use super::pool::Pool;
use super::shutdown::Shutdown;
use crate::model::time::Time;
use crate::store;
use std::sync::Arc;
use std::time::Duration;

const WATCH_INTERVAL: Duration = Duration::from_mins(1);
const OVERDUE_TIMEOUT: Duration = Duration::from_mins(5);

pub(super) async fn run(pool: Arc<Pool>, mut shutdown: Shutdown) {
    let channel = pool.policy.channel.plural();
    while !shutdown.is_requested() {
        match oldest_overdue(&pool).await {
            Ok(None) => {}
            Ok(Some(due_at)) => {
                tracing::warn!(oldest_due_at = %due_at, "{channel} are overdue by over five minutes");
            }
            Err(error) => error.log(&format!("cannot check whether {channel} are overdue")),
        }
        shutdown.sleep(WATCH_INTERVAL).await;
    }
}

/// When the oldest overdue delivery became due, if there is one.
async fn oldest_overdue(pool: &Pool) -> store::Result<Option<Time>> {
    let mut conn = pool.read().await?;
    let mut oldest: Option<Time> = None;
    for queue in pool.policy.channel.queues() {
        let overdue = conn.outbox_overdue(*queue, OVERDUE_TIMEOUT).await?;
        oldest = oldest.into_iter().chain(overdue).min();
    }
    Ok(oldest)
}
