//! Warns when deliveries wait for long.

use super::pool::Pool;
use super::stop::Stop;
use crate::model::time::Time;
use crate::store;
use std::sync::Arc;
use std::time::Duration;

const INTERVAL: Duration = Duration::from_mins(1);
const OVERDUE: Duration = Duration::from_mins(5);

pub(super) async fn run(pool: Arc<Pool>, mut stop: Stop) {
    let channel = pool.policy.channel.plural();
    while !stop.is_given() {
        match oldest(&pool).await {
            Ok(None) => {}
            Ok(Some(due_at)) => {
                tracing::warn!(oldest_due_at = %due_at, "{channel} are overdue by over five minutes");
            }
            Err(error) => tracing::warn!(error = %error, "it cannot be seen whether {channel} are overdue"),
        }
        stop.sleep(INTERVAL).await;
    }
}

/// Since when the oldest due event waits, if it is overdue.
pub(super) async fn oldest(pool: &Pool) -> store::Result<Option<Time>> {
    pool.store.read().await?.outbox_overdue(pool.policy.channel, OVERDUE).await
}
