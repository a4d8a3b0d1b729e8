//! Claiming emails: those that people wait for in front of a form first, then the oldest.

use super::claim::{Claimed, ClaimedBatch};
use crate::store::sql::Sql;
use crate::store::{Queue, Result, Tx};

/// `$1` now, `$2` the queue, `$3` how many. The kinds are those of the index `outbox_urgent`: resets and codes are few,
/// while a rush of signups may fill the queue. An urgent email may be among the oldest, too. Its limits are those
/// of `CLAIM`.
pub(super) const CLAIM_MAILS: Sql = dialect_sql!(
    sql("WITH urgent AS MATERIALIZED (SELECT id, due_at FROM (SELECT id, due_at FROM outbox \
         WHERE channel = $2 AND state = 'pending' AND kind IN ('password-reset', 'confirmation-code') AND due_at <= "),
    at("$1"),
    sql(" ORDER BY due_at, id LIMIT 128"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") AS due LIMIT $3), \
         oldest AS MATERIALIZED (SELECT id, due_at FROM (SELECT id, due_at FROM outbox \
         WHERE channel = $2 AND state = 'pending' AND waits IS NULL AND due_at <= "),
    at("$1"),
    sql(" ORDER BY due_at, id LIMIT 128"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") AS due LIMIT $3), \
         picked AS MATERIALIZED (SELECT id FROM (SELECT id, due_at, 0 AS turn FROM urgent \
         UNION ALL SELECT id, due_at, 1 AS turn FROM oldest) AS due \
         GROUP BY id, due_at ORDER BY min(turn), due_at, id LIMIT $3) \
         UPDATE outbox SET state = 'processing', lease = lease + 1, started = FALSE, leased_at = "),
    at("$1"),
    sql(" FROM picked WHERE outbox.id = picked.id AND state = 'pending' \
         RETURNING outbox.id AS id, kind, payload, attempts, lease, interrupted, due_at, traceparent, subject"),
);

impl Tx {
    /// As [`Tx::outbox_claim`], of a queue without an order.
    pub(super) async fn outbox_claim_mails(&mut self, queue: Queue, limit: usize) -> Result<ClaimedBatch> {
        let most = i64::try_from(limit).unwrap_or(0);
        let mut claimed: Vec<Claimed> = fetch_all!(self, CLAIM_MAILS, self.sql_now(), queue.as_str(), most)?;
        // RETURNING promises no order.
        claimed.sort_unstable_by_key(|delivery| (delivery.due_at, delivery.id));
        let is_full = claimed.len() >= limit;
        Ok(ClaimedBatch { claimed, busy: Vec::new(), is_full, is_crowded: false })
    }
}
