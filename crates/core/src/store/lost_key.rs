//! What goes with a lost secret key, and who is affected.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;

impl Conn {
    /// Whether the authenticator app of a user was lost with the secret key.
    pub async fn lost_factor_exists(&mut self, user: UserId) -> Result<bool> {
        let sql = "SELECT user_id FROM lost_factors WHERE user_id = $1";
        let found: Option<UserId> = fetch_optional_scalar!(self, sql, user)?;
        Ok(found.is_some())
    }
}

impl Tx {
    /// Records that a user's authenticator app was lost.
    pub async fn lost_factor_create(&mut self, user: UserId) -> Result<()> {
        let sql = "INSERT INTO lost_factors (user_id, lost_at) VALUES ($1, $2) ON CONFLICT (user_id) DO NOTHING";
        execute!(self, sql, user, self.now()).map(drop)
    }

    /// Forgets that a user's authenticator app was lost; `false` if it was not.
    pub async fn lost_factor_delete(&mut self, user: UserId) -> Result<bool> {
        Ok(execute!(self, "DELETE FROM lost_factors WHERE user_id = $1", user)? > 0)
    }

    /// Removes everything that was sealed with the secret key: signing keys, API keys, authenticator apps, recovery
    /// codes, answers to repeated requests. Returns the number of API keys.
    pub async fn sealed_delete_all(&mut self) -> Result<u64> {
        self.invalidates_sessions();
        execute!(self, "DELETE FROM signing_keys")?;
        execute!(self, "DELETE FROM es256_signing_keys")?;
        execute!(self, "DELETE FROM recovery_codes")?;
        execute!(self, "DELETE FROM totp")?;
        execute!(self, "DELETE FROM idempotency_keys")?;
        execute!(self, "DELETE FROM api_keys")
    }
}
