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
        with_engine!(self, |c| {
            sqlx::query_as("SELECT id, email, locale, return_to, created_at FROM reset_requests ORDER BY id LIMIT $1")
                .bind(limit)
                .fetch_all(c)
        })
    }
}

impl Tx {
    pub async fn reset_request_create(&mut self, row: &ResetRequestRow) -> Result<()> {
        execute!(self, |c| {
            sqlx::query(
                "INSERT INTO reset_requests (id, email, locale, return_to, created_at) VALUES ($1, $2, $3, $4, $5)",
            )
            .bind(row.id)
            .bind(&row.email)
            .bind(&row.locale)
            .bind(&row.return_to)
            .bind(row.created_at)
        })?;
        Ok(())
    }

    /// Removes a request; `false` if another process has handled it.
    pub async fn reset_request_delete(&mut self, id: Uuid) -> Result<bool> {
        Ok(execute!(self, |c| sqlx::query("DELETE FROM reset_requests WHERE id = $1").bind(id))? > 0)
    }
}
