//! Requests for password reset links that have not been mailed yet.

use super::{Conn, Result, Tx};
use crate::model::time::Time;
use uuid::Uuid;

pub struct ResetRequestRow {
    pub id: Uuid,
    pub email: String,
    pub locale: String,
    /// Where the flow ends, already validated.
    pub return_to: Option<String>,
    pub created_at: Time,
}

row!(ResetRequestRow { id, email, locale, return_to, created_at });

impl Conn {
    /// At most `limit` requests, the oldest first.
    pub async fn reset_requests_oldest(&mut self, limit: i64) -> Result<Vec<ResetRequestRow>> {
        let sql = "SELECT id, email, locale, return_to, created_at FROM reset_requests ORDER BY id LIMIT $1";
        fetch_all!(self, sql, limit)
    }
}

impl Tx {
    pub async fn reset_request_create(&mut self, row: &ResetRequestRow) -> Result<()> {
        let sql = "INSERT INTO reset_requests (id, email, locale, return_to, created_at) VALUES ($1, $2, $3, $4, $5)";
        execute!(self, sql, row.id, &row.email, &row.locale, &row.return_to, row.created_at).map(drop)
    }

    /// Removes a request; `false` if another process has handled it.
    pub async fn reset_request_delete(&mut self, id: Uuid) -> Result<bool> {
        Ok(execute!(self, "DELETE FROM reset_requests WHERE id = $1", id)? > 0)
    }
}
