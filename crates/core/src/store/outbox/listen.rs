//! Waking other processes on the same PostgreSQL database when something was put into the outbox.
//!
//! NOTIFY serializes commits, so it is never part of the transaction that records an event: a commit wakes the workers
//! of its own process, and that process notifies the others, at a low rate.

use crate::store::db::Db;
use crate::store::postgres::answered;
use crate::store::{Channel, Result, Store};
use sqlx::Executor;
use sqlx::postgres::{PgListener, PgPoolOptions};
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

/// A server that announces nothing for this time is asked whether it is still there.
const SILENCE: Duration = Duration::from_secs(30);

/// The PostgreSQL channel on which new deliveries are announced.
const fn notify_channel(channel: Channel) -> &'static str {
    match channel {
        Channel::Webhook => "doorward_outbox",
        Channel::Mail => "doorward_mails",
    }
}

/// Receives the announcements of other processes.
pub struct OutboxListener {
    listener: PgListener,
    own: String,
}

impl Store {
    /// Announces to the other processes; `own` identifies the announcements of this process. SQLite has no
    /// notifications: there the others find new deliveries by polling.
    pub async fn outbox_announce(&self, channel: Channel, own: Uuid) -> Result<()> {
        if let Db::Postgres(pool) = &self.db {
            let mut pooled = pool.acquire_reserved().await?;
            let notify = sqlx::query("SELECT pg_notify($1, $2)").bind(notify_channel(channel)).bind(own.to_string());
            let notified = answered(notify.execute(pooled.connection()?)).await;
            pooled.settle(notified)?;
        }
        Ok(())
    }

    /// Announces everything that this process has put into the outbox: for a command, which has no workers of its own.
    pub async fn outbox_announce_all(&self) -> Result<()> {
        for channel in Channel::ALL {
            let notified = tokio::time::timeout(Duration::ZERO, self.outbox_wakeup(channel).notified()).await.is_ok();
            if notified {
                // The id of no process: every process handles it.
                self.outbox_announce(channel, Uuid::nil()).await?;
            }
        }
        Ok(())
    }

    /// Starts listening to other processes; `None` on SQLite.
    pub async fn outbox_listen(&self, channel: Channel, own: Uuid) -> Result<Option<OutboxListener>> {
        let Db::Postgres(pool) = &self.db else { return Ok(None) };
        // The driver listens only on a connection of a pool of its own.
        let options = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let own_pool = options.connect_lazy_with(pool.options().await?);
        let mut listener = answered(PgListener::connect_with(&own_pool)).await?;
        listener.eager_reconnect(false);
        answered(listener.listen(notify_channel(channel))).await?;
        Ok(Some(OutboxListener { listener, own: own.to_string() }))
    }
}

impl OutboxListener {
    /// Returns when another process has announced something; fails when announcements may be missed from now on.
    pub async fn remote_wakeup(&mut self) -> Result<()> {
        loop {
            match timeout(SILENCE, self.listener.try_recv()).await {
                Ok(Ok(Some(notification))) if notification.payload() == self.own => {}
                Ok(Ok(Some(_))) => return Ok(()),
                Ok(Ok(None)) => return Err(sqlx::Error::PoolClosed.into()),
                Ok(Err(error)) => return Err(error.into()),
                // What is announced meanwhile is received next.
                Err(_) => {
                    answered((&mut self.listener).execute("SELECT 1")).await?;
                }
            }
        }
    }
}
