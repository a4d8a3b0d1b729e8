//! Statistics of the outbox. Every query stops after a fixed number of index entries, whatever the table's size.

use super::read::DeliveryState;
use super::settle::micros;
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::{Conn, Queue, Result};
use std::time::Duration;

pub const COUNT_LIMIT: i64 = 1_000_000;
/// The number of deliveries of each state whose attempts are sampled.
pub const SAMPLE: i64 = 1000;

/// The duration and outcome of an attempt.
#[derive(Clone, Debug)]
pub struct AttemptSample {
    pub duration_us: i64,
    pub outcome: String,
}

row!(AttemptSample { duration_us, outcome });

/// A pending delivery, and the database's time.
struct PendingTimes {
    present: Time,
    due_at: Time,
    created_at: Time,
}

row!(PendingTimes { present, due_at, created_at });

/// The pending delivery that is due first.
#[derive(Clone, Copy, Debug)]
pub struct OldestPending {
    /// For how long its event has waited.
    pub age: Duration,
    /// For how long it has been due; zero if its next attempt is still to come.
    pub overdue: Duration,
}

macro_rules! count_sql {
    ($state:literal) => {
        concat!(
            "SELECT count(*) FROM (SELECT 1 AS one FROM outbox WHERE channel = $2 AND state = '",
            $state,
            "' LIMIT $1) AS counted"
        )
    };
}

pub(super) const COUNT_PENDING: &str = count_sql!("pending");
pub(super) const COUNT_PROCESSING: &str = count_sql!("processing");
pub(super) const COUNT_DELIVERED: &str = count_sql!("delivered");
pub(super) const COUNT_FAILED: &str = count_sql!("failed");

pub(super) const OLDEST: Sql = dialect_sql!(
    sql("SELECT "),
    at("$1"),
    sql(" AS present, due_at, created_at FROM outbox WHERE channel = $2 AND state = 'pending' \
         ORDER BY due_at LIMIT 1"),
);

pub(super) const COUNT_DUE: Sql = now_sql!(
    "SELECT count(*) FROM (SELECT 1 AS one FROM outbox \
     WHERE channel = $3 AND state = 'pending' AND due_at <= ",
    " LIMIT $2) AS counted",
);

pub(super) const DELIVERED_SINCE: Sql = dialect_sql!(
    sql("SELECT count(*) FROM (SELECT 1 AS one FROM outbox \
         WHERE channel = 'webhook' AND state = 'delivered' AND finished_at > "),
    at("$1"),
    sql(" LIMIT $2) AS counted"),
);

macro_rules! sample_sql {
    ($state:literal, $time:literal) => {
        concat!(
            "SELECT a.duration_us, a.outcome FROM (SELECT id FROM outbox WHERE channel = 'webhook' AND state = '",
            $state,
            "' ORDER BY ",
            $time,
            " DESC LIMIT $1) AS d JOIN outbox_attempts a ON a.delivery_id = d.id LIMIT $2"
        )
    };
}

/// A delivery that waits for a retry is due later than all that wait for their first attempt.
pub(super) const SAMPLE_PENDING: &str = sample_sql!("pending", "due_at");
pub(super) const SAMPLE_DELIVERED: &str = sample_sql!("delivered", "finished_at");
pub(super) const SAMPLE_FAILED: &str = sample_sql!("failed", "finished_at");

impl Conn {
    /// The number of deliveries of a queue in this state, counted up to `most`.
    pub async fn outbox_count(&mut self, queue: Queue, state: DeliveryState, most: i64) -> Result<u64> {
        let sql = match state {
            DeliveryState::Pending => COUNT_PENDING,
            DeliveryState::Processing => COUNT_PROCESSING,
            DeliveryState::Delivered => COUNT_DELIVERED,
            DeliveryState::Failed => COUNT_FAILED,
        };
        let count: i64 = fetch_scalar!(self, sql, most, queue.as_str())?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The pending delivery of a queue that is due first.
    pub async fn outbox_oldest(&mut self, queue: Queue) -> Result<Option<OldestPending>> {
        let oldest: Option<PendingTimes> = fetch_optional!(self, OLDEST, self.sql_now(), queue.as_str())?;
        Ok(oldest.map(|row| OldestPending {
            age: row.present.since(row.created_at),
            overdue: row.present.since(row.due_at),
        }))
    }

    /// The number of deliveries of a queue that have been due for at least this time, counted up to `most`.
    pub async fn outbox_count_due(&mut self, queue: Queue, time: Duration, most: i64) -> Result<u64> {
        let by = self.sql_now().saturating_sub(micros(time));
        let count: i64 = fetch_scalar!(self, COUNT_DUE, by, most, queue.as_str())?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The number of deliveries that arrived within this time, counted up to [`COUNT_LIMIT`].
    pub async fn outbox_delivered_within(&mut self, time: Duration) -> Result<u64> {
        let since = self.sql_now().saturating_sub(micros(time));
        let count: i64 = fetch_scalar!(self, DELIVERED_SINCE, since, COUNT_LIMIT)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// The attempts of the deliveries that last finished or were last postponed: of [`SAMPLE`] in each state.
    pub async fn outbox_sample(&mut self) -> Result<Vec<AttemptSample>> {
        let mut samples = Vec::new();
        for sql in [SAMPLE_DELIVERED, SAMPLE_FAILED, SAMPLE_PENDING] {
            let part: Vec<AttemptSample> = fetch_all!(self, sql, SAMPLE, 10 * SAMPLE)?;
            samples.extend(part);
        }
        Ok(samples)
    }
}
