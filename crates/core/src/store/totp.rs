//! The TOTP secrets that accounts share with authenticator apps.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use crate::model::time::Time;

pub struct TotpRow {
    pub user_id: UserId,
    /// The sealed secret.
    pub secret: Vec<u8>,
    pub created_at: Time,
    /// Since when logins require it; `None` until a first code has confirmed it.
    pub confirmed_at: Option<Time>,
    /// The time step of the last code that was accepted.
    pub last_step: i64,
    /// Wrong codes since the last right one.
    pub failures: i64,
    /// When the last wrong code came.
    pub failed_at: Option<Time>,
}

row!(TotpRow { user_id, secret, created_at, confirmed_at, last_step, failures, failed_at });

impl Conn {
    /// The secret of a user, confirmed or not.
    pub async fn totp_find(&mut self, user: UserId) -> Result<Option<TotpRow>> {
        let sql = "SELECT user_id, secret, created_at, confirmed_at, last_step, failures, failed_at FROM totp \
            WHERE user_id = $1";
        fetch_optional!(self, sql, user)
    }

    /// At most `limit` secrets of users after `after`, in the order of the users' ids.
    pub async fn totp_page(&mut self, after: UserId, limit: i64) -> Result<Vec<TotpRow>> {
        let sql = "SELECT user_id, secret, created_at, confirmed_at, last_step, failures, failed_at FROM totp \
            WHERE user_id > $1 ORDER BY user_id LIMIT $2";
        fetch_all!(self, sql, after, limit)
    }
}

impl Tx {
    /// Stores a secret that is not confirmed yet, in place of another such one; a confirmed one stays.
    pub async fn totp_begin(&mut self, user: UserId, secret: &[u8]) -> Result<()> {
        let sql = "INSERT INTO totp (user_id, secret, created_at, last_step, failures) VALUES ($1, $2, $3, 0, 0) \
            ON CONFLICT (user_id) DO UPDATE SET secret = $2, created_at = $3, last_step = 0, failures = 0 \
            WHERE totp.confirmed_at IS NULL";
        execute!(self, sql, user, secret, self.now()).map(drop)
    }

    /// Confirms a secret by a code of this time step; `false` if it is confirmed already.
    pub async fn totp_confirm(&mut self, user: UserId, step: i64) -> Result<bool> {
        self.invalidates_sessions();
        let sql = "UPDATE totp SET confirmed_at = $2, last_step = $3, failures = 0, failed_at = NULL \
            WHERE user_id = $1 AND confirmed_at IS NULL";
        Ok(execute!(self, sql, user, self.now(), step)? > 0)
    }

    /// Accepts a code of this time step; `false` if one of this or a later step was accepted before.
    pub async fn totp_accept(&mut self, user: UserId, step: i64) -> Result<bool> {
        let sql = "UPDATE totp SET last_step = $2, failures = 0, failed_at = NULL \
            WHERE user_id = $1 AND confirmed_at IS NOT NULL AND last_step < $2";
        Ok(execute!(self, sql, user, step)? > 0)
    }

    pub async fn totp_count_failure(&mut self, user: UserId) -> Result<()> {
        execute!(self, "UPDATE totp SET failures = failures + 1, failed_at = $2 WHERE user_id = $1", user, self.now())?;
        Ok(())
    }

    /// Resets the count of wrong codes, after another verification; `false` if there were none.
    pub async fn totp_reset_failures(&mut self, user: UserId) -> Result<bool> {
        let sql = "UPDATE totp SET failures = 0, failed_at = NULL WHERE user_id = $1 AND failures > 0";
        Ok(execute!(self, sql, user)? > 0)
    }

    /// Replaces a sealed secret, if it still is `old`.
    pub async fn totp_reseal(&mut self, user: UserId, old: &[u8], new: &[u8]) -> Result<bool> {
        Ok(execute!(self, "UPDATE totp SET secret = $3 WHERE user_id = $1 AND secret = $2", user, old, new)? > 0)
    }

    /// Removes the secret, if there is one.
    pub async fn totp_delete(&mut self, user: UserId) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, "DELETE FROM totp WHERE user_id = $1", user).map(drop)
    }
}
