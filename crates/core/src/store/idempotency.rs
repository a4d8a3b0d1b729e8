//! Requests that may be repeated, and their answers.

use super::sql::Sql;
use super::{Conn, Result, Tx};
use crate::model::time::micros;
use std::time::Duration;
use uuid::Uuid;

pub struct KeptAnswerRow {
    pub id: Vec<u8>,
    /// The sealed answer.
    pub answer: Vec<u8>,
}

row!(KeptAnswerRow { id, answer });

const CLAIM: Sql = dialect_sql!(
    sql("INSERT INTO idempotency_keys (id, claim, started_at) VALUES ($2, $3, "),
    at("$1"),
    sql(") ON CONFLICT (id) DO UPDATE SET claim = excluded.claim, started_at = excluded.started_at, answer = NULL \
         WHERE idempotency_keys.started_at < "),
    at("$4"),
    sql(" OR (idempotency_keys.answer IS NULL AND idempotency_keys.started_at < "),
    at("$5"),
    sql(")"),
);
const NOTE: Sql = dialect_sql!(
    sql("INSERT INTO idempotency_keys (id, claim, answer, started_at) VALUES ($2, $3, $4, "),
    at("$1"),
    sql(") ON CONFLICT (id) DO UPDATE SET claim = excluded.claim, answer = excluded.answer, \
         started_at = excluded.started_at WHERE idempotency_keys.started_at < "),
    at("$5"),
);
const ANSWER: Sql = dialect_sql!(
    sql("SELECT answer FROM idempotency_keys WHERE id = $2 AND answer IS NOT NULL AND started_at >= "),
    at("$1"),
);
const DELETE_OLD: Sql = dialect_sql!(
    sql("DELETE FROM idempotency_keys WHERE id IN (SELECT id FROM idempotency_keys WHERE started_at < "),
    at("$1"),
    sql(" ORDER BY started_at LIMIT $2)"),
);
const PAGE: &str = "SELECT id, answer FROM idempotency_keys WHERE id > $1 AND answer IS NOT NULL ORDER BY id LIMIT $2";

impl Conn {
    /// The sealed answer to a request that began within `retention`; `None` also while it still runs.
    pub async fn idempotency_answer(&mut self, id: &[u8], retention: Duration) -> Result<Option<Vec<u8>>> {
        fetch_optional_scalar!(self, ANSWER, self.sql_now() - micros(retention), id)
    }

    /// At most `limit` kept answers after `after`.
    pub async fn idempotency_page(&mut self, after: &[u8], limit: i64) -> Result<Vec<KeptAnswerRow>> {
        fetch_all!(self, PAGE, after, limit)
    }
}

impl Tx {
    /// Claims a request: `false` if it was answered within `retention`, or has been running for less than `timeout`.
    pub async fn idempotency_claim(
        &mut self,
        id: &[u8],
        claim: Uuid,
        retention: Duration,
        timeout: Duration,
    ) -> Result<bool> {
        let now = self.sql_now();
        Ok(execute!(self, CLAIM, now, id, claim, now - micros(retention), now - micros(timeout))? > 0)
    }

    /// Keeps the answer; `false` if another request has taken the claim over.
    pub async fn idempotency_keep(&mut self, id: &[u8], claim: Uuid, answer: &[u8]) -> Result<bool> {
        let sql = "UPDATE idempotency_keys SET answer = $3 WHERE id = $1 AND claim = $2 AND answer IS NULL";
        Ok(execute!(self, sql, id, claim, answer)? > 0)
    }

    /// Keeps the answer of a request that claims nothing; `false` if another answer was kept within `retention`.
    pub async fn idempotency_note(
        &mut self,
        id: &[u8],
        claim: Uuid,
        answer: &[u8],
        retention: Duration,
    ) -> Result<bool> {
        let now = self.sql_now();
        Ok(execute!(self, NOTE, now, id, claim, answer, now - micros(retention))? > 0)
    }

    /// Forgets a request, and its answer.
    pub async fn idempotency_forget(&mut self, id: &[u8]) -> Result<()> {
        execute!(self, "DELETE FROM idempotency_keys WHERE id = $1", id)?;
        Ok(())
    }

    /// Forgets a request that was not answered.
    pub async fn idempotency_release(&mut self, id: &[u8], claim: Uuid) -> Result<()> {
        execute!(self, "DELETE FROM idempotency_keys WHERE id = $1 AND claim = $2 AND answer IS NULL", id, claim)?;
        Ok(())
    }

    /// Replaces a sealed answer, if it still is `old`.
    pub async fn idempotency_reseal(&mut self, id: &[u8], old: &[u8], new: &[u8]) -> Result<bool> {
        let sql = "UPDATE idempotency_keys SET answer = $3 WHERE id = $1 AND answer = $2";
        Ok(execute!(self, sql, id, old, new)? > 0)
    }

    /// Removes requests that began longer ago than `retention`, at most `limit`; returns how many.
    pub async fn idempotency_delete_old(&mut self, retention: Duration, limit: i64) -> Result<u64> {
        execute!(self, DELETE_OLD, self.sql_now() - micros(retention), limit)
    }
}

#[cfg(test)]
#[path = "idempotency_tests.rs"]
mod tests;
