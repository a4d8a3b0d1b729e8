//! The sessions of one user, as the user sees and ends them.

use super::sessions::SessionSummary;
use super::{Conn, Result};
use crate::model::ids::UserId;
use crate::model::time::Time;

impl Conn {
    /// At most `limit` live sessions of a user, the latest used first: not ended, not expired at `now`, and with a
    /// refresh token issued after `issued_after`.
    pub async fn sessions_live(
        &mut self,
        user: UserId,
        now: Time,
        issued_after: Time,
        limit: i64,
    ) -> Result<Vec<SessionSummary>> {
        with_engine!(self, |c| {
            sqlx::query_as(
                "SELECT id, user_agent, address, created_at, last_used_at, ended_at, end_reason FROM sessions \
                 WHERE user_id = $1 AND ended_at IS NULL AND expires_at > $2 AND issued_at > $3 \
                 ORDER BY last_used_at DESC, id LIMIT $4",
            )
            .bind(user)
            .bind(now)
            .bind(issued_after)
            .bind(limit)
            .fetch_all(c)
        })
    }

    /// At most `limit` sessions of a user, ended ones too, the newest first.
    pub async fn sessions_latest(&mut self, user: UserId, limit: i64) -> Result<Vec<SessionSummary>> {
        with_engine!(self, |c| {
            sqlx::query_as(
                "SELECT id, user_agent, address, created_at, last_used_at, ended_at, end_reason FROM sessions \
                 WHERE user_id = $1 ORDER BY created_at DESC LIMIT $2",
            )
            .bind(user)
            .bind(limit)
            .fetch_all(c)
        })
    }
}
