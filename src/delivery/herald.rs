//! Between processes on one PostgreSQL database: telling the others that there is work, and hearing them.

use super::backoff::Backoff;
use super::pool::Pool;
use super::stop::Stop;
use crate::random;
use crate::store::{self, OutboxListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;
use uuid::Uuid;

/// The others are told no more often than this.
const QUIET: Duration = Duration::from_millis(100);

pub(super) fn spawn(tasks: &mut JoinSet<()>, pool: &Arc<Pool>, stop: &Stop) {
    let Ok(own) = random::uuid_v4() else { return };
    tasks.spawn(announce(pool.clone(), own, stop.clone()));
    tasks.spawn(listen(pool.clone(), own, stop.clone()));
}

async fn announce(pool: Arc<Pool>, own: Uuid, mut stop: Stop) {
    loop {
        tokio::select! {
            () = stop.given() => return,
            () = pool.herald.notified() => {}
        }
        // The others' poll finds the work a second later where this fails.
        if let Err(error) = pool.store.outbox_announce(pool.policy.channel, own).await {
            tracing::debug!(error = %error, "other processes cannot be told of new {}", pool.policy.channel.plural());
        }
        stop.sleep(QUIET).await;
    }
}

async fn listen(pool: Arc<Pool>, own: Uuid, mut stop: Stop) {
    let mut backoff = Backoff::new();
    while !stop.is_given() {
        match pool.store.outbox_listen(pool.policy.channel, own).await {
            Ok(Some(listener)) => {
                backoff.reset();
                if let Err(error) = hear(&pool, listener, &mut stop).await {
                    tracing::debug!(error = %error, "announcements of other processes are not heard");
                }
            }
            Ok(None) => return,
            Err(error) => tracing::debug!(error = %error, "announcements of other processes are not heard"),
        }
        backoff.pause(&mut stop).await;
    }
}

async fn hear(pool: &Pool, mut listener: OutboxListener, stop: &mut Stop) -> store::Result<()> {
    loop {
        tokio::select! {
            () = stop.given() => return Ok(()),
            heard = listener.heard() => heard?,
        }
        pool.heard.notify_one();
    }
}
