//! Putting events into the outbox.

use super::cause::cause;
use super::event::OutboxEvent;
use crate::model::event::Event;
use crate::model::ids::EventId;
use crate::random;
use crate::store::sql::NowSql;
use crate::store::values::around_values;
use crate::store::{Channel, Result, Tx};
use sqlx::QueryBuilder;

/// The most events of a statement for single pushes: an action seldom has more, and each number of rows is a statement
/// to prepare.
const ROWS: usize = 8;
/// The most events of a statement for a batch: large enough to amortize the round trip, small enough for the limit of
/// parameters of both databases.
const BATCH_ROWS: usize = 500;

const PUSH: NowSql = dialect_sql!(
    sql("WITH b (id, kind, payload, due_at, created_at, traceparent) AS (VALUES) INSERT INTO outbox \
         (id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, created_at, traceparent) \
         SELECT id, 'webhook', kind, payload, 'pending', 0, 0, FALSE, FALSE, "),
    at("b.due_at"),
    sql(", created_at, traceparent FROM b"),
);

impl Tx {
    /// Records an event in this transaction, if its kind is one that is sent. All events are recorded here or by
    /// [`Tx::outbox_push_all`].
    ///
    /// The events of a transaction are written together, at the latest at its commit: on SQLite the switch to the
    /// driver's thread and back costs more than the statement.
    pub(in crate::store) async fn outbox_push(&mut self, event: &Event) -> Result<()> {
        if !self.stores(event.kind()) {
            return Ok(());
        }
        let event = self.outbox_event(event)?;
        self.unwritten.push(event);
        self.wake_outbox_on_commit(Channel::Webhook);
        if self.unwritten.len() < ROWS { Ok(()) } else { self.outbox_write().await }
    }

    /// Records events in this transaction as [`Tx::outbox_push`] would one after the other, in few round trips.
    pub(in crate::store) async fn outbox_push_all(&mut self, events: &[Event]) -> Result<()> {
        let stored: Vec<&Event> = events.iter().filter(|event| self.stores(event.kind())).collect();
        for chunk in stored.chunks(BATCH_ROWS) {
            let rows = chunk.iter().map(|event| self.outbox_event(event)).collect::<Result<Vec<_>>>()?;
            // Each smaller chunk has a text of its own, which is not worth keeping prepared.
            self.insert_events(&rows, rows.len() == BATCH_ROWS).await?;
            self.wake_outbox_on_commit(Channel::Webhook);
        }
        Ok(())
    }

    /// Writes the events that were recorded so far.
    pub(in crate::store) async fn outbox_write(&mut self) -> Result<()> {
        let events = std::mem::take(&mut self.unwritten);
        for rows in events.chunks(ROWS) {
            self.insert_events(rows, true).await?;
        }
        Ok(())
    }

    fn outbox_event(&mut self, event: &Event) -> Result<OutboxEvent> {
        let created_at = self.now();
        let id = EventId(random::uuid_v7_with_counter(created_at, self.next_event())?);
        let (kind, payload) = (event.kind().as_str(), event.envelope(id, created_at)?);
        let traceparent = cause().map(|cause| cause.to_string());
        Ok(OutboxEvent { id, kind, payload, created_at, traceparent })
    }

    async fn insert_events(&mut self, rows: &[OutboxEvent], keep_prepared: bool) -> Result<()> {
        with_engine!(self, PUSH, |c, sql, now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(rows, |mut row, event| {
                row.push_bind(event.id).push_bind(event.kind).push_bind(event.payload.as_slice());
                row.push_bind(now).push_bind(event.created_at).push_bind(event.traceparent.as_deref());
            });
            query.push(after).build().persistent(keep_prepared).execute(c).await.map(drop)
        })
    }
}
