//! The buckets of the rate limits.

use super::values::{among, with_rows};
use super::{Conn, Result, Tx};
use crate::model::time::Time;
use uuid::Uuid;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitRow {
    /// A keyed hash of what is limited and for whom.
    pub id: Uuid,
    /// When the bucket is full again, when the next try is permitted, or until when a network is trusted.
    pub at: Time,
    /// Failures without a success between them.
    pub failures: i64,
    /// From then on the row is equivalent to a missing one.
    pub expires_at: Time,
    /// Of failures at one name from one network: the row of the name.
    pub name_id: Option<Uuid>,
}

row!(LimitRow { id, at, failures, expires_at, name_id });

const AT_NAMES: &str = "SELECT id, at, failures, expires_at, name_id FROM limits WHERE name_id IN ($1, $2)";

/// The time in an unused bucket.
const NONE: Time = Time::from_micros(0);

impl LimitRow {
    pub const fn fresh(id: Uuid) -> Self {
        Self { id, at: NONE, failures: 0, expires_at: NONE, name_id: None }
    }
}

impl Conn {
    /// The buckets with these ids, in the order of the ids: neither locked nor created.
    pub async fn limits_read<const N: usize>(&mut self, ids: [Uuid; N]) -> Result<[LimitRow; N]> {
        let stored = self.limits_stored(&ids).await?;
        Ok(ids.map(LimitRow::fresh).map(|row| stored.iter().find(|found| found.id == row.id).copied().unwrap_or(row)))
    }

    /// Those of the buckets with these ids that are stored, in no order.
    async fn limits_stored(&mut self, ids: &[Uuid]) -> Result<Vec<LimitRow>> {
        let sql = "SELECT id, at, failures, expires_at, name_id FROM limits WHERE id IN (VALUES)";
        fetch_all!(self, sql, |sql| among(sql, ids))
    }

    /// The failures from each network at these names, in no order. A name with fifty failures is refused for a day, so there
    /// are not many.
    pub async fn limits_at_names(&mut self, [one, other]: [Uuid; 2]) -> Result<Vec<LimitRow>> {
        fetch_all!(self, AT_NAMES, one, other)
    }
}

impl Tx {
    /// The buckets with these ids, which must differ, in the order of the ids. They are locked until the end of this
    /// transaction; missing ones are created.
    pub async fn limits_lock<const N: usize>(&mut self, ids: [Uuid; N]) -> Result<[LimitRow; N]> {
        let mut rows = ids.map(LimitRow::fresh);
        // The same order in all transactions, so that two of them cannot deadlock.
        let mut ordered = rows;
        ordered.sort_unstable_by_key(|row| row.id);
        let sql = "INSERT INTO limits (id, at, failures, expires_at) VALUES \
            ON CONFLICT (id) DO UPDATE SET failures = limits.failures RETURNING id, at, failures, expires_at, name_id";
        let locked: Vec<LimitRow> = fetch_all!(self, sql, |sql| {
            with_rows(sql, &ordered, |mut values, row| {
                values.push_bind(row.id).push_bind(row.at).push_bind(row.failures).push_bind(row.expires_at);
            })
        })?;
        for row in &mut rows {
            if let Some(found) = locked.iter().find(|found| found.id == row.id) {
                *row = *found;
            }
        }
        Ok(rows)
    }

    /// Writes buckets that this transaction has locked.
    pub async fn limits_write<const N: usize>(&mut self, rows: [LimitRow; N]) -> Result<()> {
        let sql = "INSERT INTO limits (id, at, failures, expires_at, name_id) VALUES ON CONFLICT (id) DO UPDATE SET \
            at = excluded.at, failures = excluded.failures, expires_at = excluded.expires_at, name_id = excluded.name_id";
        execute!(self, sql, |sql| {
            with_rows(sql, &rows, |mut values, row| {
                values.push_bind(row.id).push_bind(row.at).push_bind(row.failures).push_bind(row.expires_at);
                values.push_bind(row.name_id);
            })
        })
        .map(drop)
    }

    /// Removes the rows of two names, those of each network at them, and others. Returns whether one of them counted at
    /// `now`.
    pub async fn limits_delete(&mut self, names: [Uuid; 2], others: &[Uuid], now: Time) -> Result<bool> {
        let mut stored = self.limits_stored(&[&names, others].concat()).await?;
        stored.extend(self.limits_at_names(names).await?);
        // One by one in the order of `limits_lock`, so that the two cannot deadlock.
        stored.sort_unstable_by_key(|row| row.id);
        for row in &stored {
            execute!(self, "DELETE FROM limits WHERE id = $1", row.id)?;
        }
        Ok(stored.iter().any(|row| now < row.expires_at))
    }

    /// Removes at most `limit` buckets that have expired at `now`; returns how many.
    pub async fn limits_delete_old(&mut self, now: Time, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM limits WHERE id IN \
            (SELECT id FROM limits WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";
        execute!(self, sql, now, limit)
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;
