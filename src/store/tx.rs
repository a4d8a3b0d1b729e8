//! A transaction on either engine.

use super::conn::{Conn, Inner};
use super::error::{Result, StoreError};
use super::outbox::channel::Channel;
use super::outbox::event::OutboxEvent;
use super::shared::Shared;
use crate::model::audit::AuditKind;
use crate::model::event::EventKind;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A transaction: its writes are visible and durable once [`Tx::commit`] has returned, and not at all before.
///
/// Dropped without a commit, it is rolled back.
pub struct Tx {
    conn: Conn,
    /// The number of events it has recorded.
    events: u32,
    /// Events that are written to the outbox together, at the latest at the commit.
    pub(super) unwritten: Vec<OutboxEvent>,
    /// The channels whose workers are woken after the commit.
    wakes: Vec<Channel>,
    /// What it has written to the audit log, and how often it happened.
    pub(super) audited: Vec<(AuditKind, i64)>,
    /// Set if it changes a session or a user.
    invalidation: Option<SessionInvalidation>,
}

/// Invalidates the session cache when it is dropped. A transaction holds it to its end, however it ends: from then on
/// no session is served from memory before the change feed was polled.
struct SessionInvalidation(Arc<Shared>);

impl Drop for SessionInvalidation {
    fn drop(&mut self) {
        self.0.sessions.invalidate();
    }
}

impl Tx {
    pub(super) fn new(conn: Conn) -> Self {
        Self { conn, events: 0, unwritten: Vec::new(), wakes: Vec::new(), audited: Vec::new(), invalidation: None }
    }

    /// Whether events of this kind are stored.
    pub(super) fn stores(&self, kind: EventKind) -> bool {
        self.conn.shared.events().contains(kind)
    }

    /// Wakes the workers of a channel after the commit.
    pub(super) fn wake_outbox_on_commit(&mut self, channel: Channel) {
        if !self.wakes.contains(&channel) {
            self.wakes.push(channel);
        }
    }

    /// Must be called by every function that changes what [`SessionStore::get`](super::SessionStore::get) reads, so
    /// that this process sees the change from the next request on.
    pub(super) fn invalidates_sessions(&mut self) {
        let shared = &self.conn.shared;
        self.invalidation.get_or_insert_with(|| SessionInvalidation(shared.clone()));
    }

    /// The number of the next event within this transaction.
    pub(super) fn next_event(&mut self) -> u32 {
        self.events += 1;
        self.events
    }

    /// Commits, and returns when the commit is durable.
    pub async fn commit(mut self) -> Result<()> {
        self.outbox_write().await?;
        let Conn { inner, shared, poisoned, .. } = self.conn;
        if poisoned {
            return Err(StoreError::Poisoned);
        }
        match inner {
            Inner::SqliteWrite(write_tx) => write_tx.commit().await?,
            Inner::PostgresTx(pooled) => pooled.commit().await?,
            Inner::PostgresAutocommit(_) | Inner::PostgresRead(_) | Inner::SqliteRead(_) => {}
        }
        shared.audited.add(&self.audited);
        for channel in self.wakes {
            shared.outbox_wakeups.wake(channel);
        }
        Ok(())
    }

    /// Rolls the transaction back, and returns when the connection is free again.
    pub async fn rollback(self) -> Result<()> {
        if let Inner::PostgresTx(pooled) = self.conn.inner {
            pooled.rollback().await?;
        }
        Ok(())
    }
}

impl Deref for Tx {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}
