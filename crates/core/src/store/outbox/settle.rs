//! Settling attempts: recording their outcomes, many in one transaction.

use super::claim::Lease;
use crate::model::ids::DeliveryId;
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::values::{padded, with_rows};
use crate::store::{Channel, Result, Tx};
use std::collections::HashSet;
use std::time::Duration;

/// What becomes of a delivery after an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Delivered,
    Failed,
    /// It is due again after this time.
    Retry {
        /// Counted from when this is recorded, by the database's clock.
        after: Duration,
    },
}

#[derive(Clone, Debug)]
pub struct Settlement {
    /// The claim under which it was made.
    pub lease: Lease,
    pub next: Next,
    /// For the operator.
    pub attempt: Attempt,
}

/// One attempt as it is kept for the operator.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// 1 for the first.
    pub number: i64,
    /// When it began, by the clock of the process.
    pub started_at: Time,
    pub duration: Duration,
    pub outcome: &'static str,
    pub status: Option<u16>,
    /// The beginning of the answer's body.
    pub response: Vec<u8>,
}

pub(super) const SETTLE: Sql = dialect_sql!(
    sql("WITH b (id, lease, state, due_at, finished_at) AS (VALUES) UPDATE outbox \
         SET state = b.state, due_at = COALESCE("),
    at("b.due_at"),
    sql(", outbox.due_at), finished_at = "),
    at("b.finished_at"),
    sql(", interrupted = FALSE FROM b \
         WHERE outbox.id = b.id AND outbox.lease = b.lease AND outbox.state = 'processing' \
         RETURNING outbox.id AS id"),
);

impl Tx {
    /// Records the outcome of each attempt, if its lease is still valid; returns those that were written. For the
    /// others the lease was lost, and nothing was changed. A mail that needs no further attempt is erased.
    pub async fn outbox_settle(&mut self, channel: Channel, settlements: &[Settlement]) -> Result<HashSet<DeliveryId>> {
        if settlements.is_empty() {
            return Ok(HashSet::new());
        }
        // The same order everywhere, so that two processes cannot deadlock.
        let mut sorted: Vec<&Settlement> = settlements.iter().collect();
        sorted.sort_unstable_by_key(|settlement| settlement.lease);
        let now = self.sql_now();
        let settled: Vec<DeliveryId> = fetch_scalars!(self, SETTLE, |sql| {
            with_rows(sql, padded(&sorted), |mut row, settlement| {
                let (state, due_at, finished_at) = columns(settlement.next, now);
                row.push_bind(settlement.lease.id).push_bind(settlement.lease.number);
                row.push_bind(state).push_bind(due_at).push_bind(finished_at);
            })
        })?;
        let settled: HashSet<DeliveryId> = settled.into_iter().collect();
        sorted.retain(|settlement| settled.contains(&settlement.lease.id));
        let attempts: Vec<_> = sorted.iter().map(|settlement| (settlement.lease, &settlement.attempt)).collect();
        self.outbox_record(&attempts).await?;
        if channel == Channel::Mail {
            let ended = sorted.iter().filter(|settlement| !matches!(settlement.next, Next::Retry { .. }));
            let ended: Vec<DeliveryId> = ended.map(|settlement| settlement.lease.id).collect();
            self.mails_erase(&ended).await?;
        }
        Ok(settled)
    }

    pub(in crate::store) async fn outbox_record(&mut self, attempts: &[(Lease, &Attempt)]) -> Result<()> {
        if attempts.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO outbox_attempts \
            (delivery_id, lease, attempt, started_at, duration_us, outcome, status, response) VALUES \
            ON CONFLICT (delivery_id, lease) DO NOTHING";
        execute!(self, sql, |sql| {
            with_rows(sql, padded(attempts), |mut row, (lease, attempt)| {
                row.push_bind(lease.id).push_bind(lease.number).push_bind(attempt.number);
                row.push_bind(attempt.started_at).push_bind(micros(attempt.duration));
                row.push_bind(attempt.outcome).push_bind(attempt.status.map(i64::from));
                row.push_bind(attempt.response.as_slice());
            })
        })?;
        Ok(())
    }
}

/// The columns `state`, `due_at` and `finished_at`; a time is `None` if it does not change or does not apply.
fn columns(next: Next, now: i64) -> (&'static str, Option<i64>, Option<i64>) {
    match next {
        Next::Delivered => ("delivered", None, Some(now)),
        Next::Failed => ("failed", None, Some(now)),
        Next::Retry { after } => ("pending", Some(now.saturating_add(micros(after))), None),
    }
}

pub(super) fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}
