//! Telling other processes on the same PostgreSQL database that something was put into the outbox.
//!
//! NOTIFY makes commits wait for each other, so it never stands in the transaction that records an event: whoever
//! commits rings the bell of its own process, and that one tells the others, seldom.

use super::{Db, Result, Store};
use sqlx::postgres::PgListener;
use uuid::Uuid;

const CHANNEL: &str = "doorward_outbox";

/// Hears what other processes announce.
pub struct OutboxListener {
    listener: PgListener,
    own: String,
}

impl Store {
    /// Tells the other processes; `own` is the name by which this process knows its own announcements. SQLite has no
    /// such thing: there the others find out by looking.
    pub async fn outbox_announce(&self, own: Uuid) -> Result<()> {
        if let Db::Postgres(pool) = &self.db {
            sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(own.to_string()).execute(pool).await?;
        }
        Ok(())
    }

    /// Begins to listen to other processes; `None` on SQLite.
    pub async fn outbox_listen(&self, own: Uuid) -> Result<Option<OutboxListener>> {
        let Db::Postgres(pool) = &self.db else { return Ok(None) };
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
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
