//! Telling other processes on the same PostgreSQL database that something was put into the outbox.
//!
//! NOTIFY makes commits wait for each other, so it never stands in the transaction that records an event: whoever
//! commits rings the bell of its own process, and that one tells the others, seldom.

use super::{Channel, Db, Result, Store};
use sqlx::postgres::PgListener;
use std::time::Duration;
use uuid::Uuid;

/// Where a channel's work is announced.
const fn notified(channel: Channel) -> &'static str {
    match channel {
        Channel::Webhook => "doorward_outbox",
        Channel::Mail => "doorward_mails",
    }
}

/// Hears what other processes announce.
pub struct OutboxListener {
    listener: PgListener,
    own: String,
}

impl Store {
    /// Tells the other processes; `own` is the name by which this process knows its own announcements. SQLite has no
    /// such thing: there the others find out by looking.
    pub async fn outbox_announce(&self, channel: Channel, own: Uuid) -> Result<()> {
        if let Db::Postgres(pool) = &self.db {
            sqlx::query("SELECT pg_notify($1, $2)").bind(notified(channel)).bind(own.to_string()).execute(pool).await?;
        }
        Ok(())
    }

    /// Tells the other processes of all that this one has put into the outbox: for a command, which has no workers that
    /// were woken by it.
    pub async fn outbox_announce_all(&self) -> Result<()> {
        for channel in Channel::ALL {
            let rung = tokio::time::timeout(Duration::ZERO, self.outbox_bell(channel).notified()).await.is_ok();
            if rung {
                // Nobody's name: every process is another one.
                self.outbox_announce(channel, Uuid::nil()).await?;
            }
        }
        Ok(())
    }

    /// Begins to listen to other processes; `None` on SQLite.
    pub async fn outbox_listen(&self, channel: Channel, own: Uuid) -> Result<Option<OutboxListener>> {
        let Db::Postgres(pool) = &self.db else { return Ok(None) };
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(notified(channel)).await?;
        Ok(Some(OutboxListener { listener, own: own.to_string() }))
    }
}

impl OutboxListener {
    /// Returns when another process has announced something, or when announcements may have been missed.
    pub async fn heard(&mut self) -> Result<()> {
        while let Some(notification) = self.listener.try_recv().await? {
            if notification.payload() != self.own {
                return Ok(());
            }
        }
        Ok(())
    }
}
