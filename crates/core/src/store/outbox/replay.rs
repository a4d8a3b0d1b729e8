//! Replaying deliveries that arrived, failed or wait for their next attempt, on the operator's request.
//!
//! A replayed delivery keeps its id and its payload, is due at once, and has all its attempts again: `attempts` is
//! reset, while `lease`, and with it the list of recorded attempts, continues. `interrupted` is kept, so that an event
//! that crashed its process is still sent apart from all others.

use crate::model::ids::EventId;
use crate::model::list_place::ListPlace;
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::values::with_rows;
use crate::store::{Channel, Conn, Result, Tx};
use uuid::Uuid;

/// The most deliveries that one transaction replays.
pub const REPLAY_BATCH: usize = 500;

/// Deliveries that failed in a span of time, by the database's clock.
#[derive(Clone, Copy, Debug)]
pub struct FailedRange {
    /// Those of events of this kind, or of all.
    pub kind: Option<&'static str>,
    pub since: Time,
    /// The last moment. What fails again later is none of them, so that a replay of all ends.
    pub until: Time,
}

impl FailedRange {
    pub const fn begin(&self) -> ListPlace {
        ListPlace { at: self.since, id: Uuid::nil() }
    }
}

/// A batch of a replay, the oldest first.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedBatch {
    pub replayed: u64,
    /// After what the next batch begins; `None` if there was nothing left.
    pub next: Option<ListPlace>,
}

/// Deliveries that are not being sent; a pending one is due now.
pub(super) const REPLAY: Sql = dialect_sql!(
    sql("WITH b (id, due_at) AS (VALUES) UPDATE outbox \
         SET state = 'pending', waits = NULL, attempts = 0, finished_at = NULL, due_at = "),
    at("b.due_at"),
    sql(" FROM b WHERE outbox.id = b.id AND channel = 'webhook' AND state IN ('pending', 'delivered', 'failed') \
         RETURNING outbox.id AS id"),
);

/// The last of the next places: after `$1`, `$2`, at `$3` at the latest; of all kinds, so that its cost has a bound.
pub(super) const LAST_FAILED: &str = "SELECT finished_at, id FROM (SELECT finished_at, id FROM outbox \
    WHERE channel = 'webhook' AND state = 'failed' AND (finished_at, id) > ($1, $2) AND finished_at <= $3 \
    ORDER BY finished_at, id LIMIT $4) AS places ORDER BY finished_at DESC, id DESC LIMIT 1";

/// Those from after the place `$2`, `$3` to the place `$4`, `$5`.
pub(super) const REPLAY_FAILED: Sql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM outbox WHERE channel = 'webhook' AND state = 'failed' \
         AND (finished_at, id) > ($2, $3) AND (finished_at, id) <= ($4, $5) AND ($6 IS NULL OR kind = $6)"),
    postgres(" ORDER BY finished_at, id FOR UPDATE"),
    sql(") UPDATE outbox SET state = 'pending', waits = NULL, attempts = 0, finished_at = NULL, due_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM c) AND state = 'failed'"),
);

pub(super) const COUNT_FAILED: &str = "SELECT count(*) FROM outbox WHERE channel = 'webhook' AND state = 'failed' \
    AND finished_at >= $1 AND finished_at <= $2 AND ($3 IS NULL OR kind = $3)";

/// Those of the kind `$4` that wait for their next attempt, unless they were sent after `$2`: what fails again meanwhile.
pub(super) const REPLAY_WAITING: Sql = dialect_sql!(
    sql("WITH c AS MATERIALIZED (SELECT id FROM outbox WHERE channel = 'webhook' AND state = 'pending' \
         AND waits IS NULL AND due_at > "),
    at("$1"),
    sql(" AND leased_at <= $2 AND ($4 IS NULL OR kind = $4) ORDER BY due_at, id LIMIT $3"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") UPDATE outbox SET attempts = 0, due_at = "),
    at("$1"),
    sql(" WHERE id IN (SELECT id FROM c) AND state = 'pending'"),
);

pub(super) const COUNT_WAITING: Sql = dialect_sql!(
    sql("SELECT count(*) FROM outbox WHERE channel = 'webhook' AND state = 'pending' AND waits IS NULL AND due_at > "),
    at("$1"),
    sql(" AND ($2 IS NULL OR kind = $2)"),
);

/// Where a delivery stands among those that failed.
struct FailedPlace {
    finished_at: Time,
    id: EventId,
}

row!(FailedPlace { finished_at, id });

impl Tx {
    /// Makes these deliveries due now and resets their attempts; returns those that exist and are not being sent. At
    /// most [`REPLAY_BATCH`] per call.
    pub async fn outbox_replay(&mut self, ids: &[EventId]) -> Result<Vec<EventId>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.wake_outbox_on_commit(Channel::Webhook);
        let now = self.sql_now();
        fetch_scalars!(self, REPLAY, |sql| {
            with_rows(sql, ids, |mut row, id| {
                row.push_bind(*id).push_bind(now);
            })
        })
    }

    /// As [`Tx::outbox_replay`], for the next batch of the deliveries that failed in a span of time, the oldest first,
    /// after a place. It looks at `batch` of them, whatever their kind.
    pub async fn outbox_replay_failed(
        &mut self,
        range: &FailedRange,
        after: ListPlace,
        batch: u32,
    ) -> Result<ReplayedBatch> {
        let last: Option<FailedPlace> =
            fetch_optional!(self, LAST_FAILED, after.at, after.id, range.until, i64::from(batch))?;
        let Some(FailedPlace { finished_at, id }) = last else {
            return Ok(ReplayedBatch { replayed: 0, next: None });
        };
        self.wake_outbox_on_commit(Channel::Webhook);
        let now = self.sql_now();
        let replayed = execute!(self, REPLAY_FAILED, now, after.at, after.id, finished_at, id, range.kind)?;
        Ok(ReplayedBatch { replayed, next: Some(ListPlace { at: finished_at, id: id.0 }) })
    }

    /// As [`Tx::outbox_replay`], for the next `batch` of the deliveries that wait for their next attempt and were not sent
    /// after `until`, of events of a kind or of all, the first to be due first; returns how many.
    pub async fn outbox_replay_waiting(&mut self, kind: Option<&str>, until: Time, batch: u32) -> Result<u64> {
        self.wake_outbox_on_commit(Channel::Webhook);
        execute!(self, REPLAY_WAITING, self.sql_now(), until, i64::from(batch), kind)
    }
}

impl Conn {
    /// How many deliveries failed in a span of time.
    pub async fn outbox_count_failed(&mut self, range: &FailedRange) -> Result<u64> {
        let count: i64 = fetch_scalar!(self, COUNT_FAILED, range.since, range.until, range.kind)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }

    /// How many deliveries wait for their next attempt, of events of a kind or of all.
    pub async fn outbox_count_waiting(&mut self, kind: Option<&str>) -> Result<u64> {
        let count: i64 = fetch_scalar!(self, COUNT_WAITING, self.sql_now(), kind)?;
        Ok(u64::try_from(count).unwrap_or(0))
    }
}
