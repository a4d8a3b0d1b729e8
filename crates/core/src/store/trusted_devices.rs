//! Trusted devices: browsers that skip the second factor.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use crate::model::time::Time;

pub struct TrustedDeviceRow {
    pub created_at: Time,
    pub expires_at: Time,
}

row!(TrustedDeviceRow { created_at, expires_at });

impl Conn {
    /// The browsers of a user that are remembered, expired ones included until they are removed.
    pub async fn trusted_devices_of_user(&mut self, user: UserId) -> Result<Vec<TrustedDeviceRow>> {
        let sql = "SELECT created_at, expires_at FROM remembered_devices WHERE user_id = $1 ORDER BY created_at";
        fetch_all!(self, sql, user)
    }

    /// Whether a user's browser with this token is remembered, under the password with this fingerprint.
    pub async fn trusted_device_exists(&mut self, token_hash: &[u8], user: UserId, credential: &[u8]) -> Result<bool> {
        let sql = "SELECT count(*) FROM remembered_devices \
            WHERE token_hash = $1 AND user_id = $2 AND credential = $3 AND expires_at > $4";
        let found: i64 = fetch_scalar!(self, sql, token_hash, user, credential, self.now())?;
        Ok(found > 0)
    }

    /// The number of browsers of a user that are remembered under the password with this fingerprint.
    pub async fn trusted_devices_count(&mut self, user: UserId, credential: &[u8]) -> Result<i64> {
        let sql = "SELECT count(*) FROM remembered_devices WHERE user_id = $1 AND credential = $2 AND expires_at > $3";
        fetch_scalar!(self, sql, user, credential, self.now())
    }
}

impl Tx {
    pub async fn trusted_device_create(
        &mut self,
        token_hash: &[u8],
        user: UserId,
        credential: &[u8],
        expires_at: Time,
    ) -> Result<()> {
        let sql = "INSERT INTO remembered_devices (token_hash, user_id, credential, created_at, expires_at) \
            VALUES ($1, $2, $3, $4, $5)";
        execute!(self, sql, token_hash, user, credential, self.now(), expires_at).map(drop)
    }

    /// Keeps the browsers remembered after the same password was hashed again.
    pub async fn trusted_devices_rebind(&mut self, user: UserId, old: &[u8], new: &[u8]) -> Result<()> {
        let sql = "UPDATE remembered_devices SET credential = $3 WHERE user_id = $1 AND credential = $2";
        execute!(self, sql, user, old, new).map(drop)
    }

    /// Forgets every browser of a user; returns how many.
    pub async fn trusted_devices_delete_of_user(&mut self, user: UserId) -> Result<u64> {
        execute!(self, "DELETE FROM remembered_devices WHERE user_id = $1", user)
    }

    /// Removes at most `limit` expired rows; returns how many.
    pub async fn trusted_devices_delete_expired(&mut self, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM remembered_devices WHERE token_hash IN \
            (SELECT token_hash FROM remembered_devices WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";
        execute!(self, sql, self.now(), limit)
    }
}
