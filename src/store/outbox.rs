//! The outbox: deliveries, from the transaction that causes them until their clean-up.
//!
//! pending → (claim) processing → (settle) delivered, failed, or pending again with a later `due_at`. Each claim raises
//! `lease`, and whoever changes a claimed delivery names the lease it was given: no row changed means that the claim
//! was lost to the reaper, and nothing is written. All moments come from one clock (`now_sql!`).

use super::macros::NowSql;
use super::outbox_claim::around_values;
use super::{Channel, Result, Tx};
use crate::model::event::Event;
use crate::model::ids::EventId;
use crate::model::time::Time;
use crate::random;
use sqlx::QueryBuilder;

/// So many events go into one statement: an action seldom has more, and each number is a statement to prepare.
const AT_ONCE: usize = 8;

/// An event that its transaction has not yet written.
pub(super) struct Unwritten {
    id: EventId,
    kind: &'static str,
    payload: Vec<u8>,
    created_at: Time,
}

pub(super) const PUSH: NowSql = dialect_sql!(
    sql("WITH b (id, kind, payload, due_at, created_at) AS (VALUES) INSERT INTO outbox \
         (id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, created_at) \
         SELECT id, 'webhook', kind, payload, 'pending', 0, 0, FALSE, FALSE, "),
    at("b.due_at"),
    sql(", created_at FROM b"),
);

impl Tx {
    /// Records an event in this transaction, if its kind is one that is sent; there is no other way to record one.
    ///
    /// The events of a transaction are written together, at the latest at its commit: on SQLite a statement's way to
    /// the driver's thread and back costs more than the statement.
    pub async fn outbox_push(&mut self, event: &Event) -> Result<()> {
        if !self.stores(event.kind()) {
            return Ok(());
        }
        let created_at = self.now();
        let id = EventId(random::uuid_v7_at(created_at, self.next_event())?);
        let payload = event.envelope(id, created_at)?;
        self.unwritten.push(Unwritten { id, kind: event.kind().as_str(), payload, created_at });
        self.ring_outbox_on_commit(Channel::Webhook);
        if self.unwritten.len() < AT_ONCE { Ok(()) } else { self.outbox_write().await }
    }

    /// Writes the events that were recorded so far.
    pub(super) async fn outbox_write(&mut self) -> Result<()> {
        let events = std::mem::take(&mut self.unwritten);
        for events in events.chunks(AT_ONCE) {
            on!(self, PUSH, |c, sql, now| async {
                let (before, after) = around_values(sql);
                let mut query = QueryBuilder::new(before);
                query.push_values(events, |mut row, event| {
                    row.push_bind(event.id).push_bind(event.kind).push_bind(event.payload.as_slice());
                    row.push_bind(now).push_bind(event.created_at);
                });
                query.push(after).build().execute(c).await.map(drop)
            })?;
        }
        Ok(())
    }
}
