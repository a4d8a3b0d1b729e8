//! Reclaiming the deliveries of a dead process, and removing old finished ones.

use super::claim::Lease;
use super::settle::{Attempt, micros};
use crate::model::ids::DeliveryId;
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::{Channel, Conn, Queue, Result, Tx};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finished {
    Delivered,
    /// It failed, and is not retried.
    Failed,
}

/// A claim that expired and was taken back.
#[derive(Debug)]
pub struct Reaped {
    pub id: DeliveryId,
    /// Whether an attempt had been started under it.
    pub started: bool,
    /// The number of attempts started so far.
    pub attempts: i64,
    /// Whether no attempt is left, so that the delivery has failed.
    pub failed: bool,
    lease: i64,
    leased_at: Time,
}

row!(Reaped { id, started, attempts, failed, lease, leased_at });

/// `$1` now, `$2` since when a claim is stale, `$3` most attempts, `$4` the queue. The condition is repeated in the
/// UPDATE, so that a claim which is settled or renewed meanwhile is kept; rows that are being settled are skipped.
pub(super) const REAP: Sql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM outbox \
         WHERE channel = $4 AND state = 'processing' AND leased_at < "),
    at("$2"),
    sql(" ORDER BY leased_at LIMIT 64"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") UPDATE outbox SET state = CASE WHEN started AND attempts >= $3 THEN 'failed' ELSE 'pending' END, \
         due_at = CASE WHEN started AND attempts < $3 THEN "),
    at("$1"),
    sql(" ELSE due_at END, finished_at = CASE WHEN started AND attempts >= $3 THEN "),
    at("$1"),
    sql(" END, interrupted = (interrupted OR started) \
         WHERE id IN (SELECT id FROM c) AND state = 'processing' AND leased_at < "),
    at("$2"),
    sql(" RETURNING id, started, attempts, (started AND attempts >= $3) AS failed, lease, leased_at"),
);

/// The deliveries of a queue in a final state, each of which has an index of its own.
macro_rules! clean_sql {
    ($state:literal) => {
        dialect_sql!(
            sql("WITH c AS MATERIALIZED (SELECT id FROM outbox WHERE channel = $3 AND state = '"),
            sql($state),
            sql("' AND finished_at < "),
            at("$1"),
            sql(" ORDER BY finished_at LIMIT $2"),
            postgres(" FOR UPDATE SKIP LOCKED"),
            sql(") DELETE FROM outbox WHERE id IN (SELECT id FROM c)"),
        )
    };
}

impl Finished {
    /// The statement that removes old deliveries with this end.
    pub(super) const fn clean(self) -> Sql {
        match self {
            Finished::Delivered => clean_sql!("delivered"),
            Finished::Failed => clean_sql!("failed"),
        }
    }
}

/// Who records an event of one of them meanwhile goes first.
pub(super) const CLEAN_SUBJECTS: Sql = dialect_sql!(
    sql("DELETE FROM outbox_subjects WHERE subject IN (SELECT subject FROM outbox_subjects WHERE last_at < "),
    at("$1"),
    sql(" ORDER BY last_at LIMIT $2"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(")"),
);

/// For how long the time of a subject's last event is kept: longer than clocks are set back.
const SUBJECT_RETENTION: Duration = Duration::from_hours(24);

pub(super) const OVERDUE: Sql = dialect_sql!(
    sql("SELECT due_at FROM outbox WHERE channel = $2 AND state = 'pending' AND due_at <= "),
    at("$1"),
    sql(" ORDER BY due_at LIMIT 1"),
);

impl Tx {
    /// Takes back a batch of a queue's claims that are older than `stale_after`: what was never started becomes
    /// pending as before, what has no attempt left fails, and the rest is due now. Call again until it returns none.
    pub async fn outbox_reap(&mut self, queue: Queue, stale_after: Duration, max_attempts: u32) -> Result<Vec<Reaped>> {
        let (present, most) = (self.sql_now(), i64::from(max_attempts));
        let stale = present.saturating_sub(micros(stale_after));
        let reaped: Vec<Reaped> = fetch_all!(self, REAP, present, stale, most, queue.as_str())?;
        let now = self.now();
        let attempts: Vec<(Lease, Attempt)> = reaped
            .iter()
            .filter(|claim| claim.started)
            .map(|claim| (Lease { id: claim.id, number: claim.lease }, claim.interruption(now)))
            .collect();
        let attempts: Vec<_> = attempts.iter().map(|(lease, attempt)| (*lease, attempt)).collect();
        self.outbox_record(&attempts).await?;
        if queue.channel() == Channel::Mail {
            let failed: Vec<DeliveryId> = reaped.iter().filter(|claim| claim.failed).map(|claim| claim.id).collect();
            self.mails_erase(&failed).await?;
        }
        if reaped.iter().any(|claim| !claim.failed) {
            self.wake_outbox_on_commit(queue.channel());
        }
        Ok(reaped)
    }

    /// Removes at most `batch` deliveries of a queue that finished this way, longer than `retention` ago, with their
    /// attempts; returns how many.
    pub async fn outbox_clean(
        &mut self,
        queue: Queue,
        finished: Finished,
        retention: Duration,
        batch: u32,
    ) -> Result<u64> {
        let before = self.sql_now().saturating_sub(micros(retention));
        execute!(self, finished.clean(), before, i64::from(batch), queue.as_str())
    }

    /// Forgets when the last event of at most `batch` subjects was recorded, if that was long ago; returns how many.
    pub async fn outbox_clean_subjects(&mut self, batch: u32) -> Result<u64> {
        execute!(self, CLEAN_SUBJECTS, self.sql_now().saturating_sub(micros(SUBJECT_RETENTION)), i64::from(batch))
    }
}

impl Conn {
    /// When the oldest pending delivery of a queue was due, if that is at least `by` ago.
    pub async fn outbox_overdue(&mut self, queue: Queue, by: Duration) -> Result<Option<Time>> {
        fetch_optional_scalar!(self, OVERDUE, self.sql_now().saturating_sub(micros(by)), queue.as_str())
    }
}

impl Reaped {
    fn interruption(&self, now: Time) -> Attempt {
        Attempt {
            number: self.attempts,
            started_at: self.leased_at,
            duration: now.since(self.leased_at),
            outcome: "interrupted",
            status: None,
            response: Vec::new(),
        }
    }
}
