//! Log-ins whose second factor is still to come.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use crate::model::time::Time;

/// A stored half log-in.
pub struct HalfLogInRow {
    /// The keyed hash of its token.
    pub token_hash: Vec<u8>,
    /// Whose password was right.
    pub user_id: UserId,
    /// The fingerprint of that password's hash.
    pub credential: Vec<u8>,
    /// How many proofs were tried.
    pub tries: i64,
    /// Until when it can be finished.
    pub expires_at: Time,
}

row!(HalfLogInRow { token_hash, user_id, credential, tries, expires_at });

impl Conn {
    /// The half log-in whose token has this keyed hash.
    pub async fn half_log_in_find(&mut self, token_hash: &[u8]) -> Result<Option<HalfLogInRow>> {
        on!(self, |c| {
            sqlx::query_as(
                "SELECT token_hash, user_id, credential, tries, expires_at FROM half_log_ins WHERE token_hash = $1",
            )
            .bind(token_hash)
            .fetch_optional(c)
        })
    }

    /// When a user's half log-ins began, and until when they can be finished.
    pub async fn half_log_ins_of_user(&mut self, user: UserId) -> Result<Vec<(Time, Time)>> {
        on!(self, |c| {
            sqlx::query_as("SELECT created_at, expires_at FROM half_log_ins WHERE user_id = $1 ORDER BY created_at")
                .bind(user)
                .fetch_all(c)
        })
    }
}

impl Tx {
    /// Stores a half log-in.
    pub async fn half_log_in_create(&mut self, row: &HalfLogInRow) -> Result<()> {
        let now = self.now();
        changed!(self, |c| {
            sqlx::query(
                "INSERT INTO half_log_ins (token_hash, user_id, credential, tries, created_at, expires_at) \
                 VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(&row.token_hash)
            .bind(row.user_id)
            .bind(&row.credential)
            .bind(row.tries)
            .bind(now)
            .bind(row.expires_at)
        })?;
        Ok(())
    }

    /// Counts a try, if fewer than `limit` were made; `false`: no more are to be had.
    pub async fn half_log_in_take_try(&mut self, token_hash: &[u8], limit: i64) -> Result<bool> {
        let changed = changed!(self, |c| {
            sqlx::query("UPDATE half_log_ins SET tries = tries + 1 WHERE token_hash = $1 AND tries < $2")
                .bind(token_hash)
                .bind(limit)
        })?;
        Ok(changed > 0)
    }

    /// Removes a half log-in; `false` if another one was faster.
    pub async fn half_log_in_delete(&mut self, token_hash: &[u8]) -> Result<bool> {
        Ok(changed!(self, |c| sqlx::query("DELETE FROM half_log_ins WHERE token_hash = $1").bind(token_hash))? > 0)
    }

    /// Removes every half log-in of a user.
    pub async fn half_log_ins_delete_of_user(&mut self, user: UserId) -> Result<()> {
        changed!(self, |c| sqlx::query("DELETE FROM half_log_ins WHERE user_id = $1").bind(user))?;
        Ok(())
    }

    /// Removes at most `limit` half log-ins whose time is over; returns how many.
    pub async fn half_log_ins_delete_expired(&mut self, limit: i64) -> Result<u64> {
        let now = self.now();
        changed!(self, |c| {
            sqlx::query(
                "DELETE FROM half_log_ins WHERE token_hash IN \
                 (SELECT token_hash FROM half_log_ins WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)",
            )
            .bind(now)
            .bind(limit)
        })
    }
}
