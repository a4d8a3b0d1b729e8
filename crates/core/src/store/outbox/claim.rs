//! Claiming deliveries of the outbox, and releasing those that were not started.

use crate::model::ids::DeliveryId;
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::values::{padded, with_rows};
use crate::store::{Channel, Queue, Result, Tx};
use std::collections::HashSet;

/// The most deliveries that one claim takes, and that one statement starts, releases or settles. With half of it, a
/// full queue of SQLite took 7 % more CPU.
pub const OUTBOX_BATCH: usize = 128;

/// The right to change one delivery, until the reaper or another claim takes it over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lease {
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
    pub due_at: Time,
    /// The place in a trace of the request that caused it, as the header has it.
    pub traceparent: Option<String>,
    /// Of whom or what it tells, if it has an order.
    pub subject: Option<String>,
}

row!(Claimed { id, kind, payload, attempts, lease, interrupted, due_at, traceparent, subject });

impl Claimed {
    pub fn lease(&self) -> Lease {
        Lease { id: self.id, number: self.lease }
    }
}

#[derive(Debug, Default)]
pub struct ClaimedBatch {
    /// What is to be sent, oldest first.
    pub claimed: Vec<Claimed>,
    /// Subjects of which all that was due now waits, since another of them was being sent.
    pub busy: Vec<String>,
    pub is_full: bool,
    /// Whether some were set aside: the next claim should look further.
    pub is_crowded: bool,
}

/// How many of those that are due a claim looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// As many as it may take: nearly always none of them waits for another one of its subject.
    Near,
    /// [`OUTBOX_BATCH`]: the last claim set some aside, and more of those subjects may come before the next that can be
    /// sent.
    Far,
}

struct Taken {
    /// Whether another one of its subject goes first.
    waits: bool,
    delivery: Claimed,
}

row!(Taken { waits } and delivery);

/// `$1` now, `$2` how many to look at, `$3` the queue, `$4` how many to claim at most. What must wait for another one of
/// its subject is set aside in the same statement.
///
/// The inner LIMIT tells PostgreSQL's planner to expect few rows, whatever the table's size, and the last one SQLite's;
/// the outer one stops the inner scan before it locks more. What waits is found by the order of its index: for an equal
/// subject the planner would read the table, once most rows are of one subject and it expects to meet one soon. The
/// subjects that are being sent are few and read once: looked up one by one, PostgreSQL read all of them for each.
pub(super) const CLAIM: Sql = dialect_sql!(
    sql("WITH seen AS MATERIALIZED (SELECT id, subject, due_at, \
         due.subject IN (SELECT o.subject FROM outbox o \
         WHERE o.state = 'processing' AND o.subject IS NOT NULL ORDER BY o.subject) \
         OR COALESCE((SELECT o.subject = due.subject AND o.id < due.id FROM outbox o \
         WHERE o.state = 'pending' AND o.waits IS NOT NULL AND o.subject >= due.subject \
         ORDER BY o.subject, o.id LIMIT 1), FALSE) AS busy \
         FROM (SELECT id, subject, due_at FROM outbox \
         WHERE channel = $3 AND state = 'pending' AND waits IS NULL AND due_at <= "),
    at("$1"),
    sql(" ORDER BY due_at, id LIMIT 128"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") AS due LIMIT $2), \
         turns AS MATERIALIZED (SELECT id, due_at, subject IS NOT NULL AND \
         (busy OR row_number() OVER (PARTITION BY subject ORDER BY due_at, id) > 1) AS aside FROM seen), \
         picked AS MATERIALIZED (SELECT id, aside FROM turns WHERE aside UNION ALL SELECT id, aside FROM \
         (SELECT id, aside FROM turns WHERE NOT aside ORDER BY due_at, id LIMIT $4) AS first LIMIT 128) \
         UPDATE outbox SET state = CASE WHEN aside THEN state ELSE 'processing' END, \
         waits = CASE WHEN aside THEN TRUE END, lease = lease + CASE WHEN aside THEN 0 ELSE 1 END, \
         started = FALSE, leased_at = CASE WHEN aside THEN leased_at ELSE "),
    at("$1"),
    sql(" END FROM picked WHERE outbox.id = picked.id AND state = 'pending' \
         RETURNING outbox.id AS id, kind, payload, attempts, lease, interrupted, due_at, traceparent, subject, \
         waits IS NOT NULL AS waits"),
);

pub(super) const START: Sql = dialect_sql!(
    sql("WITH b (id, lease, leased_at) AS (VALUES) UPDATE outbox \
         SET attempts = attempts + 1, started = TRUE, leased_at = "),
    at("b.leased_at"),
    sql(" FROM b WHERE outbox.id = b.id AND outbox.lease = b.lease AND state = 'processing' AND NOT started \
         RETURNING outbox.id AS id"),
);

pub(super) const RELEASE: Sql =
    dialect_sql!(sql("WITH b (id, lease) AS (VALUES) UPDATE outbox SET state = 'pending', started = FALSE, \
     attempts = attempts - CASE WHEN started THEN 1 ELSE 0 END \
     FROM b WHERE outbox.id = b.id AND outbox.lease = b.lease AND state = 'processing'"));

impl Tx {
    /// Claims the deliveries of a queue that are due, oldest first and urgent emails before them: at most `limit`, and at most [`OUTBOX_BATCH`]. Of
    /// each subject at most one is claimed, by all processes; the others of a claimed or busy subject are set aside, so
    /// that no claim sees them again until it is their turn. In a transaction of
    /// [`Store::begin_claim`](crate::store::Store::begin_claim).
    pub async fn outbox_claim(&mut self, queue: Queue, limit: usize, look: Look) -> Result<ClaimedBatch> {
        let limit = limit.min(OUTBOX_BATCH);
        if !queue.has_order() {
            return self.outbox_claim_mails(queue, limit).await;
        }
        let look_at = if look == Look::Far { OUTBOX_BATCH } else { limit };
        let [most, taken] = [look_at, limit].map(|count| i64::try_from(count).unwrap_or(0));
        let taken: Vec<Taken> = fetch_all!(self, CLAIM, self.sql_now(), most, queue.as_str(), taken)?;
        Ok(sorted(taken, look_at, limit))
    }

    /// Starts an attempt of each and restarts the time of its claim; returns those whose lease was still valid.
    pub async fn outbox_start(&mut self, leases: &[Lease]) -> Result<Vec<DeliveryId>> {
        if leases.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.sql_now();
        fetch_scalars!(self, START, |sql| {
            with_rows(sql, padded(leases), |mut row, lease| {
                row.push_bind(lease.id).push_bind(lease.number).push_bind(now);
            })
        })
    }

    /// Releases what was claimed but not sent: its position is kept, and no attempt is used up. Returns the number of
    /// those whose lease was still valid.
    pub async fn outbox_release(&mut self, channel: Channel, leases: &[Lease]) -> Result<u64> {
        if leases.is_empty() {
            return Ok(0);
        }
        self.wake_outbox_on_commit(channel);
        execute!(self, RELEASE, |sql| {
            with_rows(sql, padded(leases), |mut row, lease| {
                row.push_bind(lease.id).push_bind(lease.number);
            })
        })
    }
}

/// What is to be sent, and the subjects of which nothing is.
fn sorted(taken: Vec<Taken>, look_at: usize, limit: usize) -> ClaimedBatch {
    let found = taken.len();
    let (waiting, claimed): (Vec<_>, Vec<_>) = taken.into_iter().partition(|taken| taken.waits);
    let mut claimed: Vec<Claimed> = claimed.into_iter().map(|taken| taken.delivery).collect();
    // RETURNING promises no order.
    claimed.sort_unstable_by_key(|delivery| (delivery.due_at, delivery.id));
    let served: HashSet<&str> = claimed.iter().filter_map(|delivery| delivery.subject.as_deref()).collect();
    let mut busy: Vec<String> = waiting.into_iter().filter_map(|taken| taken.delivery.subject).collect();
    busy.retain(|subject| !served.contains(subject.as_str()));
    busy.sort_unstable();
    busy.dedup();
    let (is_full, is_crowded) = (found >= look_at || claimed.len() >= limit, found > claimed.len());
    ClaimedBatch { claimed, busy, is_full, is_crowded }
}
