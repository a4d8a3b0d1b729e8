//! Claiming deliveries of the outbox, and releasing those that were not started.

use crate::model::ids::DeliveryId;
use crate::model::time::Time;
use crate::store::sql::NowSql;
use crate::store::values::{among, around_values, padded};
use crate::store::{Channel, Queue, Result, Tx};
use sqlx::QueryBuilder;
use std::collections::HashSet;

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
    /// Of whom or what it tells, if it has an order.
    pub subject: Option<String>,
}

row!(Claimed { id, kind, payload, attempts, lease, interrupted, due_at, traceparent, subject });

impl Claimed {
    /// The right to change this delivery.
    pub fn lease(&self) -> Lease {
        Lease { id: self.id, number: self.lease }
    }
}

/// What a claim has found.
#[derive(Debug, Default)]
pub struct ClaimedBatch {
    /// What is to be sent, oldest first.
    pub claimed: Vec<Claimed>,
    /// Subjects of which all that was due now waits, since another of them was being sent.
    pub busy: Vec<String>,
    /// Whether there may be more.
    pub is_full: bool,
}

/// A delivery that is due.
struct DueDelivery {
    id: DeliveryId,
    subject: Option<String>,
    /// Whether another one of its subject is being sent, or an earlier one waits.
    busy: bool,
}

row!(DueDelivery { id, subject, busy });

/// What becomes of those that are due.
#[derive(Default)]
struct Sorted {
    claimed: Vec<DeliveryId>,
    aside: Vec<DeliveryId>,
    busy: HashSet<String>,
}

/// One claim of events at a time: one that does not see what another takes would take the next of the same subject.
/// PostgreSQL sees the commits before a statement, not before a transaction, so the lock is a statement of its own.
const CLAIM_LOCK: &str = "SELECT pg_advisory_xact_lock(x'6f7574626f780000'::bit(64)::bigint)";

/// The inner LIMIT tells PostgreSQL's planner to expect few rows, whatever the table's size; the outer one stops the
/// inner scan before it locks more. What is being sent or waits is found by the order of its index: for an equal subject
/// the planner would read the table, once most rows are of one subject and it expects to meet one soon.
pub(super) const DUE: NowSql = dialect_sql!(
    sql("SELECT id, subject, COALESCE((SELECT o.subject = due.subject FROM outbox o \
         WHERE o.state = 'processing' AND o.subject >= due.subject ORDER BY o.subject LIMIT 1), FALSE) \
         OR COALESCE((SELECT o.subject = due.subject AND o.id < due.id FROM outbox o \
         WHERE o.state = 'pending' AND o.waits IS NOT NULL AND o.subject >= due.subject \
         ORDER BY o.subject, o.id LIMIT 1), FALSE) AS busy \
         FROM (SELECT id, subject FROM outbox \
         WHERE channel = $3 AND state = 'pending' AND waits IS NULL AND due_at <= "),
    at("$1"),
    sql(" ORDER BY due_at, id LIMIT 64"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") AS due LIMIT $2"),
);

pub(super) const ASIDE: &str = "UPDATE outbox SET waits = TRUE WHERE id IN (VALUES) AND state = 'pending'";

pub(super) const CLAIM: NowSql = dialect_sql!(
    sql("WITH b (id, leased_at) AS (VALUES) UPDATE outbox \
         SET state = 'processing', lease = lease + 1, started = FALSE, leased_at = "),
    at("b.leased_at"),
    sql(" FROM b WHERE outbox.id = b.id AND state = 'pending' \
         RETURNING outbox.id AS id, kind, payload, attempts, lease, interrupted, due_at, traceparent, subject"),
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
    /// Claims the deliveries of a queue that are due, oldest first: at most `limit`, and at most [`OUTBOX_BATCH`]. Of
    /// each subject at most one is claimed, by all processes; the others of a claimed or busy subject are set aside, so
    /// that no claim sees them again until it is their turn.
    pub async fn outbox_claim(&mut self, queue: Queue, limit: usize) -> Result<ClaimedBatch> {
        let has_subjects = queue.channel() == Channel::Webhook;
        if has_subjects && !self.is_sqlite() {
            execute!(self, |c| sqlx::query(CLAIM_LOCK))?;
        }
        // Those that must wait do not count.
        let look_at = if has_subjects { OUTBOX_BATCH } else { limit.min(OUTBOX_BATCH) };
        let due: Vec<DueDelivery> = with_engine!(self, DUE, |c, sql, now| {
            let look_at = i64::try_from(look_at).unwrap_or(0);
            sqlx::query_as(sql).bind(now).bind(look_at).bind(queue.as_str()).fetch_all(c)
        })?;
        let found = due.len();
        let Sorted { claimed, aside, busy } = sorted(due, limit);
        let is_full = found == OUTBOX_BATCH || claimed.len() >= limit;
        // First what matters less: on SQLite a failure of the next statement does not undo it.
        if !aside.is_empty() {
            with_engine!(self, |c| async { among(ASIDE, &aside).build().execute(c).await.map(drop) })?;
        }
        Ok(ClaimedBatch { claimed: self.outbox_take(&claimed).await?, busy: busy.into_iter().collect(), is_full })
    }

    async fn outbox_take(&mut self, ids: &[DeliveryId]) -> Result<Vec<Claimed>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut claimed: Vec<Claimed> = with_engine!(self, CLAIM, |c, sql, now| async {
            let (before, after) = around_values(sql);
            let mut query = QueryBuilder::new(before);
            query.push_values(padded(ids), |mut row, id| {
                row.push_bind(*id).push_bind(now);
            });
            query.push(after).build_query_as().fetch_all(c).await
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

/// Takes the first of each subject, in their order.
fn sorted(due: Vec<DueDelivery>, limit: usize) -> Sorted {
    let mut sorted = Sorted::default();
    let mut served: HashSet<String> = HashSet::new();
    for DueDelivery { id, subject, busy } in due {
        match subject {
            Some(subject) if served.contains(&subject) => sorted.aside.push(id),
            Some(subject) if busy => {
                sorted.aside.push(id);
                sorted.busy.insert(subject);
            }
            _ if sorted.claimed.len() >= limit => {}
            subject => {
                sorted.claimed.push(id);
                served.extend(subject);
            }
        }
    }
    sorted
}
