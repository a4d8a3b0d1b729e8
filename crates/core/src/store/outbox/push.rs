//! Putting events into the outbox.

use super::cause::cause;
use crate::model::event::Event;
use crate::model::ids::EventId;
use crate::model::time::Time;
use crate::random;
use crate::store::sql::Sql;
use crate::store::tx::OutboxEvent;
use crate::store::values::with_rows;
use crate::store::{Channel, Result, Tx};
use std::collections::BTreeSet;

/// The most events of a statement that is worth keeping prepared: an action seldom has more, and each number of rows is
/// a statement.
const ROWS: usize = 8;
/// The most events that wait for the commit, and that one statement writes: large enough to amortize the round trip,
/// small enough for the limit of parameters of both databases.
const BATCH_ROWS: usize = 500;

const PUSH: &str = "WITH b (id, kind, payload, subject, due_at, created_at, traceparent) AS (VALUES) INSERT INTO outbox \
    (id, channel, kind, payload, state, attempts, lease, started, interrupted, subject, due_at, created_at, traceparent) \
    SELECT id, 'webhook', kind, payload, 'pending', 0, 0, FALSE, FALSE, subject, due_at, created_at, traceparent FROM b";

/// Reserves as many microseconds for each subject as the transaction has events, after its last event. The row of a
/// subject stays locked until the commit, and none is locked twice, so that two transactions cannot deadlock.
///
/// The time is that of the statement, not `now()`, which is that of the transaction's beginning: another one may have
/// locked the subject since.
pub(super) const RESERVE: Sql = dialect_sql!(
    sql("WITH b (subject, last_at, count) AS (VALUES) INSERT INTO outbox_subjects (subject, last_at) SELECT subject, "),
    sqlite("last_at"),
    postgres("statement_timestamp() + last_at::bigint * interval '1 microsecond'"),
    sql(" FROM b WHERE TRUE ON CONFLICT (subject) DO UPDATE SET last_at = "),
    sqlite("max(excluded.last_at, outbox_subjects.last_at + (SELECT min(count) FROM b))"),
    postgres(
        "GREATEST(excluded.last_at, \
         outbox_subjects.last_at + (SELECT min(count) FROM b)::bigint * interval '1 microsecond')"
    ),
    sql(" RETURNING last_at"),
);

/// Moves subjects whose time was reserved on to that of the others of the transaction.
pub(super) const ALIGN: &str = "WITH b (subject, last_at) AS (VALUES) UPDATE outbox_subjects SET last_at = b.last_at \
    FROM b WHERE outbox_subjects.subject = b.subject";

/// An event with its times and its id.
struct PushedEvent<'a> {
    id: EventId,
    payload: Vec<u8>,
    due_at: Time,
    pushed: &'a OutboxEvent,
}

impl Tx {
    /// Records events in this transaction, of the kinds that are sent. All events are recorded here.
    ///
    /// The events of a transaction are written together, as a rule at its commit: then it holds the locks of their
    /// subjects, and their order is that of the locks.
    pub(in crate::store) async fn outbox_push(&mut self, events: impl IntoIterator<Item = Event>) -> Result<()> {
        let traceparent = cause().map(|cause| cause.to_string());
        for event in events {
            if !self.stores(event.kind()) {
                continue;
            }
            self.wake_outbox_on_commit(Channel::Webhook);
            self.unwritten.push(OutboxEvent { event, traceparent: traceparent.clone() });
            if self.unwritten.len() == BATCH_ROWS {
                self.outbox_write().await?;
            }
        }
        Ok(())
    }

    /// Writes the events that were recorded so far.
    pub(in crate::store) async fn outbox_write(&mut self) -> Result<()> {
        let events = std::mem::take(&mut self.unwritten);
        if events.is_empty() {
            return Ok(());
        }
        let first = self.outbox_reserve(&events).await?;
        let created_at = self.now();
        let rows = events.iter().zip(first.as_micros()..).map(|(pushed, micros)| {
            let due_at = Time::from_micros(micros);
            let id = EventId(random::uuid_v7_with_micros(due_at)?);
            let payload = pushed.event.envelope(id, created_at)?;
            Ok(PushedEvent { id, payload, due_at, pushed })
        });
        self.insert_events(&rows.collect::<Result<Vec<_>>>()?, created_at).await
    }

    /// The time of the first of these events; each next one is a microsecond later. All are later than the last event of
    /// their subject, and than those that this transaction has written before.
    async fn outbox_reserve(&mut self, events: &[OutboxEvent]) -> Result<Time> {
        let count = i64::try_from(events.len()).unwrap_or(i64::MAX);
        // In one order, so that two transactions cannot deadlock.
        let subjects: BTreeSet<String> = events.iter().map(|pushed| pushed.event.subject().to_string()).collect();
        let keep_prepared = subjects.len() <= ROWS;
        let last_at = self.sql_now().saturating_add(count - 1);
        let reserved: Vec<Time> = with_engine!(self, RESERVE, |c, sql| async {
            let mut query = with_rows(sql, &subjects, |mut row, subject| {
                row.push_bind(subject.as_str()).push_bind(last_at).push_bind(count);
            });
            query.build_query_scalar().persistent(keep_prepared).fetch_all(c).await
        })?;
        let after_last = self.last_event_at.map(|last| Time::from_micros(last.as_micros().saturating_add(count)));
        let end = reserved.iter().copied().chain(after_last).max().unwrap_or_else(|| self.now());
        if reserved.iter().any(|reserved| *reserved != end) {
            self.align_subjects(&subjects, end).await?;
        }
        self.last_event_at = Some(end);
        Ok(Time::from_micros(end.as_micros() - (count - 1)))
    }

    async fn align_subjects(&mut self, subjects: &BTreeSet<String>, last_at: Time) -> Result<()> {
        with_engine!(self, ALIGN, |c, sql| async {
            let mut query = with_rows(sql, subjects, |mut row, subject| {
                row.push_bind(subject.as_str()).push_bind(last_at);
            });
            query.build().persistent(false).execute(c).await.map(drop)
        })
    }

    async fn insert_events(&mut self, rows: &[PushedEvent<'_>], created_at: Time) -> Result<()> {
        // Any other number is a text of its own, which is not worth keeping prepared.
        let keep_prepared = rows.len() <= ROWS || rows.len() == BATCH_ROWS;
        with_engine!(self, PUSH, |c, sql| async {
            let mut query = with_rows(sql, rows, |mut row, one| {
                let event = &one.pushed.event;
                row.push_bind(one.id).push_bind(event.kind().as_str()).push_bind(one.payload.as_slice());
                row.push_bind(event.subject().to_string()).push_bind(one.due_at).push_bind(created_at);
                row.push_bind(one.pushed.traceparent.as_deref());
            });
            query.build().persistent(keep_prepared).execute(c).await.map(drop)
        })
    }
}
