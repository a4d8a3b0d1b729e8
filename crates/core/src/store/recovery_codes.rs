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
        let sql = "SELECT user_id, number, code_hash, created_at FROM recovery_codes \
            WHERE user_id = $1 AND used_at IS NULL ORDER BY number";
        fetch_all!(self, sql, user)
    }

    /// Every code of a user, used ones too.
    pub async fn recovery_codes_all(&mut self, user: UserId) -> Result<Vec<RecoveryCodeRow>> {
        let sql =
            "SELECT user_id, number, code_hash, created_at FROM recovery_codes WHERE user_id = $1 ORDER BY number";
        fetch_all!(self, sql, user)
    }
}

impl Tx {
    pub async fn recovery_code_create(&mut self, user: UserId, number: i64, code_hash: &[u8]) -> Result<()> {
        let sql = "INSERT INTO recovery_codes (user_id, number, code_hash, created_at) VALUES ($1, $2, $3, $4)";
        execute!(self, sql, user, number, code_hash, self.now()).map(drop)
    }

    /// Marks a code as used; `false` if it was used before.
    pub async fn recovery_code_use(&mut self, user: UserId, number: i64) -> Result<bool> {
        let sql = "UPDATE recovery_codes SET used_at = $3 WHERE user_id = $1 AND number = $2 AND used_at IS NULL";
        Ok(execute!(self, sql, user, number, self.now())? > 0)
    }

    /// Replaces a sealed hash, if it still is `old`.
    pub async fn recovery_code_reseal(&mut self, row: &RecoveryCodeRow, new: &[u8]) -> Result<bool> {
        let sql = "UPDATE recovery_codes SET code_hash = $4 WHERE user_id = $1 AND number = $2 AND code_hash = $3";
        Ok(execute!(self, sql, row.user_id, row.number, &row.code_hash, new)? > 0)
    }

    pub async fn recovery_codes_delete(&mut self, user: UserId) -> Result<()> {
        execute!(self, "DELETE FROM recovery_codes WHERE user_id = $1", user).map(drop)
    }
}
