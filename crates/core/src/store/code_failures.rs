//! Wrong codes, counted for addresses and networks.

use super::{Conn, Result, Tx};
use crate::model::time::Time;
use uuid::Uuid;

/// The wrong codes for one address, or from one network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeFailuresRow {
    /// A keyed hash of what is counted.
    pub id: Uuid,
    /// Wrong codes of a day.
    pub recent: i64,
    /// Wrong codes of a month.
    pub total: i64,
    /// When the first of the recent ones was typed.
    pub recent_since: Time,
    pub last_failed_at: Time,
}

row!(CodeFailuresRow { id, recent, total, recent_since, last_failed_at });

impl CodeFailuresRow {
    pub const fn none(id: Uuid) -> Self {
        Self { id, recent: 0, total: 0, recent_since: Time::NEVER, last_failed_at: Time::NEVER }
    }
}

impl Conn {
    /// The counts with this id, without a lock.
    pub async fn code_failures_find(&mut self, id: Uuid) -> Result<CodeFailuresRow> {
        let sql = "SELECT id, recent, total, recent_since, last_failed_at FROM code_failures WHERE id = $1";
        let found: Option<CodeFailuresRow> = fetch_optional!(self, sql, id)?;
        Ok(found.unwrap_or(CodeFailuresRow::none(id)))
    }
}

impl Tx {
    /// The counts with this id, locked until the end of this transaction; missing ones are created.
    pub async fn code_failures_lock(&mut self, id: Uuid) -> Result<CodeFailuresRow> {
        let none = CodeFailuresRow::none(id);
        let sql = "INSERT INTO code_failures (id, recent, total, recent_since, last_failed_at) \
            VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO UPDATE SET total = code_failures.total \
            RETURNING id, recent, total, recent_since, last_failed_at";
        fetch_one!(self, sql, none.id, none.recent, none.total, none.recent_since, none.last_failed_at)
    }

    /// Writes counts that this transaction has locked.
    pub async fn code_failures_write(&mut self, row: &CodeFailuresRow) -> Result<()> {
        let sql = "UPDATE code_failures SET recent = $2, total = $3, recent_since = $4, last_failed_at = $5 \
            WHERE id = $1";
        execute!(self, sql, row.id, row.recent, row.total, row.recent_since, row.last_failed_at).map(drop)
    }

    /// Removes the counts with this id; `false` if there were none.
    pub async fn code_failures_delete(&mut self, id: Uuid) -> Result<bool> {
        Ok(execute!(self, "DELETE FROM code_failures WHERE id = $1", id)? > 0)
    }

    /// Removes at most `limit` counts without a wrong code since `before`; returns how many.
    pub async fn code_failures_delete_old(&mut self, before: Time, limit: i64) -> Result<u64> {
        // The outer condition holds also for a row that another transaction has counted in meanwhile.
        let sql = "DELETE FROM code_failures WHERE last_failed_at < $1 AND id IN \
            (SELECT id FROM code_failures WHERE last_failed_at < $1 ORDER BY last_failed_at LIMIT $2)";
        execute!(self, sql, before, limit)
    }
}
