//! Recovery codes: only the sealed hash of each.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use crate::model::time::Time;

pub struct RecoveryCodeRow {
    pub user_id: UserId,
    /// Its position among the user's codes, from 1.
    pub number: i64,
    /// The sealed hash.
    pub code_hash: Vec<u8>,
    pub created_at: Time,
}

row!(RecoveryCodeRow { user_id, number, code_hash, created_at });

impl Conn {
    /// The codes of a user that can still be used.
    pub async fn recovery_codes_unused(&mut self, user: UserId) -> Result<Vec<RecoveryCodeRow>> {
        with_engine!(self, |c| {
            sqlx::query_as(
                "SELECT user_id, number, code_hash, created_at FROM recovery_codes \
                 WHERE user_id = $1 AND used_at IS NULL ORDER BY number",
            )
            .bind(user)
            .fetch_all(c)
        })
    }

    /// Every code of a user, used ones too.
    pub async fn recovery_codes_all(&mut self, user: UserId) -> Result<Vec<RecoveryCodeRow>> {
        with_engine!(self, |c| {
            sqlx::query_as(
                "SELECT user_id, number, code_hash, created_at FROM recovery_codes WHERE user_id = $1 ORDER BY number",
            )
            .bind(user)
            .fetch_all(c)
        })
    }
}

impl Tx {
    pub async fn recovery_code_create(&mut self, user: UserId, number: i64, code_hash: &[u8]) -> Result<()> {
        let now = self.now();
        execute!(self, |c| {
            sqlx::query("INSERT INTO recovery_codes (user_id, number, code_hash, created_at) VALUES ($1, $2, $3, $4)")
                .bind(user)
                .bind(number)
                .bind(code_hash)
                .bind(now)
        })?;
        Ok(())
    }

    /// Marks a code as used; `false` if it was used before.
    pub async fn recovery_code_use(&mut self, user: UserId, number: i64) -> Result<bool> {
        let now = self.now();
        let changed = execute!(self, |c| {
            sqlx::query("UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND number = $2 AND used_at IS NULL")
                .bind(user)
                .bind(number)
                .bind(now)
        })?;
        Ok(changed > 0)
    }

    /// Replaces a sealed hash, if it still is `old`.
    pub async fn recovery_code_reseal(&mut self, row: &RecoveryCodeRow, new: &[u8]) -> Result<bool> {
        let changed = execute!(self, |c| {
            sqlx::query(
                "UPDATE recovery_codes SET code_hash = $4 WHERE user_id = $1 AND number = $2 AND code_hash = $3",
            )
            .bind(row.user_id)
            .bind(row.number)
            .bind(&row.code_hash)
            .bind(new)
        })?;
        Ok(changed > 0)
    }

    pub async fn recovery_codes_delete(&mut self, user: UserId) -> Result<()> {
        execute!(self, |c| sqlx::query("DELETE FROM recovery_codes WHERE user_id = $1").bind(user))?;
        Ok(())
    }
}
