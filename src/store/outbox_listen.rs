//! Waking other processes on the same PostgreSQL database when something was put into the outbox.
//!
//! NOTIFY serializes commits, so it is never part of the transaction that records an event: a commit wakes the workers
//! of its own process, and that process notifies the others, at a low rate.

use super::handle::Db;
use super::{Channel, Result, Store};
use sqlx::postgres::PgListener;
use std::time::Duration;
use uuid::Uuid;

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
            sqlx::query("SELECT pg_notify($1, $2)")
                .bind(notify_channel(channel))
                .bind(own.to_string())
                .execute(pool)
                .await?;
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
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(notify_channel(channel)).await?;
        Ok(Some(OutboxListener { listener, own: own.to_string() }))
    }
}

impl OutboxListener {
    /// Returns when another process has announced something, or when announcements may have been missed.
    pub async fn remote_wakeup(&mut self) -> Result<()> {
        while let Some(notification) = self.listener.try_recv().await? {
            if notification.payload() != self.own {
                return Ok(());
            }
        }
        Ok(())
    }
}
