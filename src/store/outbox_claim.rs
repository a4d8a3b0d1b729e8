//! Taking deliveries from the outbox, and giving back what was not begun.

use super::macros::NowSql;
use super::{Channel, Conn, Result, Tx};
use crate::model::ids::EventId;
use crate::model::time::Time;
use sqlx::{AssertSqlSafe, QueryBuilder, Row};

/// Most deliveries that one claim takes, and that one statement starts, releases or settles.
pub const OUTBOX_BATCH: usize = 64;

/// The right to change one delivery, until the reaper or another claim takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    /// The delivery.
    pub id: EventId,
    /// The fencing token: grows with every claim of this delivery.
    pub number: i64,
}

/// A delivery that this process has claimed.
#[derive(Debug)]
pub struct Claimed {
    /// The event's id.
    pub id: EventId,
    /// The event's kind.
    pub kind: String,
    /// The exact bytes to sign and to send.
    pub payload: Vec<u8>,
    /// Attempts that were begun so far.
    pub attempts: i64,
    /// The fencing token of this claim.
    pub lease: i64,
    /// Whether the last attempt was begun and never settled: its process may have died of it.
    pub interrupted: bool,
    /// Since when it is due.
    pub due_at: Time,
}

row!(Claimed { id, kind, payload, attempts, lease, interrupted, due_at });

impl Claimed {
    /// The right to change this delivery.
    pub fn held(&self) -> Lease {
        Lease { id: self.id, number: self.lease }
    }
}

/// The inner LIMIT tells PostgreSQL's planner that few rows come, whatever the table's size; the outer one stops the
/// inner scan before it locks more.
pub(super) const CLAIM: NowSql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM (SELECT id FROM outbox \
         WHERE channel = $3 AND state = 'pending' AND due_at <= "),
    at("$1"),
    sql(" ORDER BY due_at, id LIMIT 64"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") AS due LIMIT $2) UPDATE outbox SET state = 'processing', lease = lease + 1, started = FALSE, leased_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM c) AND state = 'pending' \
         RETURNING id, kind, payload, attempts, lease, interrupted, due_at"),
);

pub(super) const START: NowSql = dialect_sql!(
    sql("WITH b (id, lease, leased_at) AS (VALUES) UPDATE outbox \
         SET attempts = attempts + 1, started = TRUE, leased_at = "),
    at("b.leased_at"),
    sql(" FROM b WHERE outbox.id = b.id AND outbox.lease = b.lease AND state = 'processing' AND NOT started \
         RETURNING outbox.id AS id"),
);

pub(super) const RELEASE: NowSql =
    dialect_sql!(sql("WITH b (id, lease) AS (VALUES) UPDATE outbox SET state = 'pending', started = FALSE, \
     attempts = attempts - CASE WHEN started THEN 1 ELSE 0 END \
     FROM b WHERE outbox.id = b.id AND outbox.lease = b.lease AND state = 'processing'"));

/// The rows of a batch, some repeated until their number is one of few: so few statements need to be prepared.
/// A repeated row changes nothing, as each row of the table is changed once by a statement.
pub(super) fn padded<T>(rows: &[T]) -> impl Iterator<Item = &T> {
    let count = if rows.len() <= 8 { rows.len().next_power_of_two() } else { rows.len().next_multiple_of(8) };
    rows.iter().cycle().take(count)
}

/// What stands before and after the rows in a text that has `(VALUES)` where they go.
pub(super) fn around_values(sql: &'static str) -> (&'static str, &'static str) {
    sql.split_once("VALUES").unwrap_or((sql, ""))
}

impl Tx {
    /// Claims the deliveries of a channel that are due, oldest first: at most `limit`, and at most [`OUTBOX_BATCH`].
    pub async fn outbox_claim(&mut self, channel: Channel, limit: usize) -> Result<Vec<Claimed>> {
        self.outbox_write().await?;
        let limit = i64::try_from(limit.min(OUTBOX_BATCH)).unwrap_or(0);
        let mut claimed: Vec<Claimed> = on!(self, CLAIM, |c, sql, now| {
            sqlx::query_as(sql).bind(now).bind(limit).bind(channel.as_str()).fetch_all(c)
        })?;
        // RETURNING promises no order.
        claimed.sort_unstable_by_key(|delivery| (delivery.due_at, delivery.id));
        Ok(claimed)
    }

    /// Begins an attempt of each, with a fresh lease; returns those that were still held.
    pub async fn outbox_start(&mut self, leases: &[Lease]) -> Result<Vec<EventId>> {
        if leases.is_empty() {
            return Ok(Vec::new());
        }
        on!(self, START, |c, sql, now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(padded(leases), |mut row, lease| {
                row.push_bind(lease.id).push_bind(lease.number).push_bind(now);
            });
            query.push(after).build_query_scalar().fetch_all(c).await
        })
    }

    /// Gives back what was claimed but not sent, in its old place and without using up an attempt; returns how many
    /// were still held.
    pub async fn outbox_release(&mut self, channel: Channel, leases: &[Lease]) -> Result<u64> {
        if leases.is_empty() {
            return Ok(0);
        }
        self.ring_outbox_on_commit(channel);
        on!(self, RELEASE, |c, sql, _now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(padded(leases), |mut row, lease| {
                row.push_bind(lease.id).push_bind(lease.number);
            });
            query.push(after).build().execute(c).await.map(|result| result.rows_affected())
        })
    }
}

impl Conn {
    /// How the database finds what a claim takes, in its own words: for benchmarks, and for whoever wonders.
    pub async fn outbox_claim_plan(&mut self) -> Result<Vec<String>> {
        let explain = if self.is_sqlite() { "EXPLAIN QUERY PLAN" } else { "EXPLAIN (COSTS OFF)" };
        // Of the four columns that SQLite gives, the last one is for people; PostgreSQL gives that one only.
        on!(self, CLAIM, |c, sql, now| async {
            let text = AssertSqlSafe(format!("{explain} {sql}"));
            let rows = sqlx::query(text).bind(now).bind(64_i64).bind(Channel::Webhook.as_str()).fetch_all(c).await?;
            rows.iter().map(|row| row.try_get(row.len() - 1)).collect()
        })
    }
}
