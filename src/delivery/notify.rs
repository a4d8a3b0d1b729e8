//! Wakeups between processes on one PostgreSQL database (NOTIFY and LISTEN).

use super::backoff::Backoff;
use super::pool::Pool;
use super::shutdown::Shutdown;
use crate::random;
use crate::store::{self, OutboxListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

/// The least time between two notifications of this process.
const MIN_NOTIFY_INTERVAL: Duration = Duration::from_millis(100);

pub(super) fn spawn(tasks: &mut JoinSet<()>, pool: &Arc<Pool>, shutdown: &Shutdown) {
    let Ok(own) = random::uuid_v4() else { return };
    tasks.spawn(notify_others(pool.clone(), own, shutdown.clone()));
    tasks.spawn(listen(pool.clone(), own, shutdown.clone()));
}

async fn notify_others(pool: Arc<Pool>, own: Uuid, mut shutdown: Shutdown) {
    loop {
        tokio::select! {
            () = shutdown.requested() => return,
            () = pool.local_wakeup.notified() => {}
        }
        // If this fails, the others find the work with their next poll, at most a second later.
        if let Err(error) = pool.store.outbox_announce(pool.policy.channel, own).await {
            let channel = pool.policy.channel.plural();
            tracing::debug!(error = %error, "other processes cannot be notified of new {channel}");
        }
        shutdown.sleep(MIN_NOTIFY_INTERVAL).await;
    }
}

async fn listen(pool: Arc<Pool>, own: Uuid, mut shutdown: Shutdown) {
    let mut backoff = Backoff::new();
    while !shutdown.is_requested() {
        match pool.store.outbox_listen(pool.policy.channel, own).await {
            Ok(Some(listener)) => {
                backoff.reset();
                if let Err(error) = forward_wakeups(&pool, listener, &mut shutdown).await {
                    tracing::debug!(error = %error, "notifications of other processes are not received");
                }
            }
            Ok(None) => return,
            Err(error) => tracing::debug!(error = %error, "notifications of other processes are not received"),
        }
        backoff.pause(&mut shutdown).await;
    }
}

async fn forward_wakeups(pool: &Pool, mut listener: OutboxListener, shutdown: &mut Shutdown) -> store::Result<()> {
    loop {
        tokio::select! {
            () = shutdown.requested() => return Ok(()),
            result = listener.remote_wakeup() => result?,
        }
        pool.remote_wakeup.notify_one();
    }
}
