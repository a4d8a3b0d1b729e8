//! Claiming deliveries of the outbox, and releasing those that were not started.

use crate::model::ids::DeliveryId;
use crate::model::time::Time;
use crate::store::sql::NowSql;
use crate::store::values::{around_values, padded};
use crate::store::{Channel, Queue, Result, Tx};
use sqlx::QueryBuilder;

/// The most deliveries that one claim takes, and that one statement starts, releases or settles.
pub const OUTBOX_BATCH: usize = 64;

/// The right to change one delivery, until the reaper or another claim takes it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
    /// The delivery.
    pub id: DeliveryId,
    /// The fencing token: grows with every claim of this delivery.
    pub number: i64,
}

/// A delivery that this process has claimed.
#[derive(Debug)]
pub struct Claimed {
    /// The delivery's id: that of its event or email.
    pub id: DeliveryId,
    /// The kind of the event or email.
    pub kind: String,
    /// The exact bytes to sign and to send.
    pub payload: Vec<u8>,
    /// The number of attempts started so far.
    pub attempts: i64,
    /// The fencing token of this claim.
    pub lease: i64,
    /// Whether the last attempt was started and never settled: it may have crashed its process.
    pub interrupted: bool,
    /// Since when it is due.
    pub due_at: Time,
    /// The place in a trace of the request that caused it, as the header has it.
    pub traceparent: Option<String>,
}

row!(Claimed { id, kind, payload, attempts, lease, interrupted, due_at, traceparent });

impl Claimed {
    /// The right to change this delivery.
    pub fn lease(&self) -> Lease {
        Lease { id: self.id, number: self.lease }
    }
}

/// The inner LIMIT tells PostgreSQL's planner to expect few rows, whatever the table's size; the outer one stops the
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
         RETURNING id, kind, payload, attempts, lease, interrupted, due_at, traceparent"),
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

impl Tx {
    /// Claims the deliveries of a queue that are due, oldest first: at most `limit`, and at most [`OUTBOX_BATCH`].
    pub async fn outbox_claim(&mut self, queue: Queue, limit: usize) -> Result<Vec<Claimed>> {
        self.outbox_write().await?;
        let limit = i64::try_from(limit.min(OUTBOX_BATCH)).unwrap_or(0);
        let mut claimed: Vec<Claimed> = with_engine!(self, CLAIM, |c, sql, now| {
            sqlx::query_as(sql).bind(now).bind(limit).bind(queue.as_str()).fetch_all(c)
        })?;
        // RETURNING promises no order.
        claimed.sort_unstable_by_key(|delivery| (delivery.due_at, delivery.id));
        Ok(claimed)
    }

    /// Starts an attempt of each and restarts the time of its claim; returns those whose lease was still valid.
    pub async fn outbox_start(&mut self, leases: &[Lease]) -> Result<Vec<DeliveryId>> {
        if leases.is_empty() {
            return Ok(Vec::new());
        }
        with_engine!(self, START, |c, sql, now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(padded(leases), |mut row, lease| {
                row.push_bind(lease.id).push_bind(lease.number).push_bind(now);
            });
            query.push(after).build_query_scalar().fetch_all(c).await
        })
    }

    /// Releases what was claimed but not sent: its position is kept, and no attempt is used up. Returns the number of
    /// those whose lease was still valid.
    pub async fn outbox_release(&mut self, channel: Channel, leases: &[Lease]) -> Result<u64> {
        if leases.is_empty() {
            return Ok(0);
        }
        self.wake_outbox_on_commit(channel);
        with_engine!(self, RELEASE, |c, sql, _now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(padded(leases), |mut row, lease| {
                row.push_bind(lease.id).push_bind(lease.number);
            });
            query.push(after).build().execute(c).await.map(|result| result.rows_affected())
        })
    }
}
