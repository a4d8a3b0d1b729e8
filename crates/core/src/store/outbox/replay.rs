//! Replaying deliveries that arrived or failed, on the operator's request.
//!
//! A replayed delivery keeps its id and its payload, is due at once, and has all its attempts again: `attempts` is
//! reset, while `lease`, and with it the list of recorded attempts, continues. `interrupted` is kept, so that an event
//! that crashed its process is still sent apart from all others.

use super::settle::micros;
use crate::model::ids::EventId;
use crate::store::sql::NowSql;
use crate::store::values::around_values;
use crate::store::{Channel, Conn, Result, Tx};
use sqlx::QueryBuilder;
use std::time::Duration;

/// The most deliveries that one transaction replays.
pub const REPLAY_BATCH: usize = 500;

/// Deliveries that failed within a span of time; both ends count back from now, by the database's clock.
#[derive(Clone, Copy, Debug)]
pub struct FailedWithin {
    /// The earlier end.
    pub since: Duration,
    /// The later end.
    pub until: Duration,
}

/// Deliveries that are not being sent; a pending one is due now.
pub(super) const REPLAY: NowSql = dialect_sql!(
    sql("WITH b (id, due_at) AS (VALUES) UPDATE outbox \
         SET state = 'pending', attempts = 0, finished_at = NULL, due_at = "),
    at("b.due_at"),
    sql(" FROM b WHERE outbox.id = b.id AND channel = 'webhook' AND state IN ('pending', 'delivered', 'failed') \
         RETURNING outbox.id AS id"),
);

pub(super) const REPLAY_FAILED: NowSql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM outbox \
         WHERE channel = 'webhook' AND state = 'failed' AND finished_at >= "),
    at("$2"),
    sql(" AND finished_at <= "),
    at("$3"),
    sql(" ORDER BY finished_at LIMIT $4"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") UPDATE outbox SET state = 'pending', attempts = 0, finished_at = NULL, due_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM c) AND state = 'failed'"),
);

pub(super) const COUNT_FAILED: NowSql = dialect_sql!(
    sql("SELECT count(*) FROM outbox WHERE channel = 'webhook' AND state = 'failed' AND finished_at >= "),
    at("$1"),
    sql(" AND finished_at <= "),
    at("$2"),
);

impl Tx {
    /// Makes these deliveries due now and resets their attempts; returns those that exist and are not being sent. At
    /// most [`REPLAY_BATCH`] per call.
    pub async fn outbox_replay(&mut self, ids: &[EventId]) -> Result<Vec<EventId>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.wake_outbox_on_commit(Channel::Webhook);
        with_engine!(self, REPLAY, |c, sql, now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(ids, |mut row, id| {
                row.push_bind(*id).push_bind(now);
            });
            query.push(after).build_query_scalar().fetch_all(c).await
        })
    }

    /// As [`Tx::outbox_replay`], for a batch of the deliveries that failed in a span of time, oldest first; returns how
    /// many.
    pub async fn outbox_replay_failed(&mut self, within: FailedWithin) -> Result<u64> {
        self.wake_outbox_on_commit(Channel::Webhook);
        let (since, until) = (micros(within.since), micros(within.until));
        let batch = i64::try_from(REPLAY_BATCH).unwrap_or(i64::MAX);
        execute!(self, REPLAY_FAILED, |sql, now| {
            sqlx::query(sql).bind(now).bind(now.saturating_sub(since)).bind(now.saturating_sub(until)).bind(batch)
        })
    }
}

impl Conn {
    /// How many deliveries failed within a span of time.
    pub async fn outbox_count_failed(&mut self, within: FailedWithin) -> Result<u64> {
        let (since, until) = (micros(within.since), micros(within.until));
        let count: i64 = with_engine!(self, COUNT_FAILED, |c, sql, now| {
            sqlx::query_scalar(sql).bind(now.saturating_sub(since)).bind(now.saturating_sub(until)).fetch_one(c)
        })?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}
