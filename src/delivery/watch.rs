//! Warns when deliveries are overdue.

use super::pool::Pool;
use super::shutdown::Shutdown;
use std::sync::Arc;
use std::time::Duration;

const WATCH_INTERVAL: Duration = Duration::from_mins(1);
const OVERDUE_TIMEOUT: Duration = Duration::from_mins(5);

pub(super) async fn run(pool: Arc<Pool>, mut shutdown: Shutdown) {
    let channel = pool.policy.channel.plural();
    while !shutdown.is_requested() {
        match pool.oldest_overdue(OVERDUE_TIMEOUT).await {
            Ok(None) => {}
            Ok(Some(due_at)) => {
                tracing::warn!(oldest_due_at = %due_at, "{channel} are overdue by over five minutes");
            }
            Err(error) => error.log(&format!("cannot check whether {channel} are overdue")),
        }
        shutdown.sleep(WATCH_INTERVAL).await;
    }
}
