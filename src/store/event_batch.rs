//! Many events of one action, recorded together: one by one, each costs a way to the database and back.

use super::macros::NowSql;
use super::outbox_claim::around_values;
use super::{Channel, Result, Tx};
use crate::model::event::Event;
use crate::model::ids::EventId;
use crate::random;
use sqlx::QueryBuilder;

/// Rows of one statement: enough for the way to weigh little, few enough for every database's limit of parameters.
const ROWS: usize = 500;

pub(super) const PUSH_ALL: NowSql = dialect_sql!(
    sql("WITH b (id, kind, payload, due_at, created_at) AS (VALUES) \
         INSERT INTO outbox (id, channel, kind, payload, state, attempts, lease, started, interrupted, due_at, \
         created_at) SELECT b.id, 'webhook', b.kind, b.payload, 'pending', 0, 0, FALSE, FALSE, "),
    at("b.due_at"),
    sql(", b.created_at FROM b"),
);

/// An event as it is stored.
struct Row {
    id: EventId,
    kind: &'static str,
    payload: Vec<u8>,
}

impl Tx {
    /// Records events in this transaction as [`Tx::outbox_push`] would one after the other.
    pub async fn outbox_push_all(&mut self, events: &[Event]) -> Result<()> {
        let wanted: Vec<&Event> = events.iter().filter(|event| self.stores(event.kind())).collect();
        for chunk in wanted.chunks(ROWS) {
            self.push_chunk(chunk).await?;
        }
        Ok(())
    }

    async fn push_chunk(&mut self, events: &[&Event]) -> Result<()> {
        let created_at = self.now();
        let mut rows = Vec::with_capacity(events.len());
        for event in events {
            let id = EventId(random::uuid_v7_at(created_at, self.next_event())?);
            rows.push(Row { id, kind: event.kind().as_str(), payload: event.envelope(id, created_at)? });
        }
        // Chunks that are not full have a text of their own each, which is not worth keeping prepared.
        let keep = rows.len() == ROWS;
        on!(self, PUSH_ALL, |c, sql, now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(&rows, |mut row, event| {
                row.push_bind(event.id).push_bind(event.kind).push_bind(event.payload.as_slice());
                row.push_bind(now).push_bind(created_at);
            });
            query.push(after).build().persistent(keep).execute(c).await.map(drop)
        })?;
        self.ring_outbox_on_commit(Channel::Webhook);
        Ok(())
    }
}
