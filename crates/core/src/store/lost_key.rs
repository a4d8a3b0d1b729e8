//! What goes with a lost secret key, and who is affected.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;

impl Conn {
    /// Whether the authenticator app of a user was lost with the secret key.
    pub async fn lost_factor_exists(&mut self, user: UserId) -> Result<bool> {
        let found: Option<UserId> = with_engine!(self, |c| {
            sqlx::query_scalar("SELECT user_id FROM lost_factors WHERE user_id = $1").bind(user).fetch_optional(c)
        })?;
        Ok(found.is_some())
    }
}

impl Tx {
    /// Records that a user's authenticator app was lost.
    pub async fn lost_factor_create(&mut self, user: UserId) -> Result<()> {
        let now = self.now();
        execute!(self, |c| {
            sqlx::query("INSERT INTO lost_factors (user_id, lost_at) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING")
                .bind(user)
                .bind(now)
        })?;
        Ok(())
    }

    /// Forgets that a user's authenticator app was lost; `false` if it was not.
    pub async fn lost_factor_delete(&mut self, user: UserId) -> Result<bool> {
        Ok(execute!(self, |c| sqlx::query("DELETE FROM lost_factors WHERE user_id = $1").bind(user))? > 0)
    }

    /// Removes everything that was sealed with the secret key: signing keys, API keys, authenticator apps, recovery
    /// codes, answers to repeated requests. Returns the number of API keys.
    pub async fn sealed_delete_all(&mut self) -> Result<u64> {
        self.invalidates_sessions();
        execute!(self, |c| sqlx::query("DELETE FROM signing_keys"))?;
        execute!(self, |c| sqlx::query("DELETE FROM es256_signing_keys"))?;
        execute!(self, |c| sqlx::query("DELETE FROM recovery_codes"))?;
        execute!(self, |c| sqlx::query("DELETE FROM totp"))?;
        execute!(self, |c| sqlx::query("DELETE FROM idempotency_keys"))?;
        execute!(self, |c| sqlx::query("DELETE FROM api_keys"))
    }
}
