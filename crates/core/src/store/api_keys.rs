//! API keys.

use super::{Conn, Result, Tx};
use crate::model::api_key::{ApiKeyId, KeyNetworks, Scopes};
use crate::model::time::Time;

#[derive(Clone)]
pub struct ApiKeyRow {
    /// The part of the key that is no secret.
    pub id: ApiKeyId,
    /// The key that its rotations began with, itself at first.
    pub family: ApiKeyId,
    pub name: String,
    /// The sealed hash of its random part.
    pub secret: Vec<u8>,
    pub scopes: Scopes,
    pub networks: KeyNetworks,
    pub created_at: Time,
    /// When it ends; `None`: never.
    pub expires_at: Option<Time>,
    pub revoked_at: Option<Time>,
    /// A time of the day on which it was last used.
    pub last_used_at: Option<Time>,
    /// The network from which it was last used; empty if it is not known.
    pub last_used_network: String,
}

row!(ApiKeyRow {
    id,
    family,
    name,
    secret,
    scopes,
    networks,
    created_at,
    expires_at,
    revoked_at,
    last_used_at,
    last_used_network,
});

impl ApiKeyRow {
    /// Whether it may be used at `now`.
    pub fn is_live(&self, now: Time) -> bool {
        self.revoked_at.is_none() && !self.is_expired(now)
    }

    /// Whether its time was over at `now`.
    pub fn is_expired(&self, now: Time) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }
}

macro_rules! select_api_key {
    ($rest:literal) => {
        concat!(
            "SELECT id, family, name, secret, scopes, networks, created_at, expires_at, revoked_at, last_used_at, \
             last_used_network FROM api_keys ",
            $rest
        )
    };
}

const NEWEST_LIVE: &str = select_api_key!(
    "WHERE name = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) \
     ORDER BY created_at DESC LIMIT 1"
);
const LIST: &str = select_api_key!("ORDER BY created_at DESC, id DESC LIMIT $1");

impl Conn {
    /// The key with this id, live or not.
    pub async fn api_key_find(&mut self, id: &ApiKeyId) -> Result<Option<ApiKeyRow>> {
        fetch_optional!(self, select_api_key!("WHERE id = $1"), id)
    }

    /// The newest of the live keys with this name: one and those that it replaces.
    pub async fn api_key_newest_live(&mut self, name: &str) -> Result<Option<ApiKeyRow>> {
        fetch_optional!(self, NEWEST_LIVE, name, self.now())
    }

    /// At most `limit` keys, live or not, the newest first.
    pub async fn api_keys_list(&mut self, limit: i64) -> Result<Vec<ApiKeyRow>> {
        fetch_all!(self, LIST, limit)
    }
}

impl Tx {
    pub async fn api_key_create(&mut self, key: &ApiKeyRow) -> Result<()> {
        let sql = "INSERT INTO api_keys (id, family, name, secret, scopes, networks, created_at, expires_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        execute!(
            self,
            sql,
            &key.id,
            &key.family,
            &key.name,
            &key.secret,
            key.scopes,
            &key.networks,
            key.created_at,
            key.expires_at
        )?;
        Ok(())
    }

    pub async fn api_key_set_expiry(&mut self, id: &ApiKeyId, at: Time) -> Result<()> {
        execute!(self, "UPDATE api_keys SET expires_at = $2 WHERE id = $1", id, at).map(drop)
    }

    /// Revokes a key; `false` if it was revoked before.
    pub async fn api_key_revoke(&mut self, id: &ApiKeyId) -> Result<bool> {
        let sql = "UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL";
        Ok(execute!(self, sql, id, self.now())? > 0)
    }

    pub async fn api_key_note_use(&mut self, id: &ApiKeyId, network: &str) -> Result<()> {
        let sql = "UPDATE api_keys SET last_used_at = $2, last_used_network = $3 WHERE id = $1";
        execute!(self, sql, id, self.now(), network).map(drop)
    }

    /// Replaces a sealed hash, if it still is `old`.
    pub async fn api_key_reseal(&mut self, id: &ApiKeyId, old: &[u8], new: &[u8]) -> Result<bool> {
        Ok(execute!(self, "UPDATE api_keys SET secret = $3 WHERE id = $1 AND secret = $2", id, old, new)? > 0)
    }

    /// Removes keys that ended before `before`, at most `limit`; returns how many.
    pub async fn api_keys_delete_ended(&mut self, before: Time, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE created_at < $1 \
            AND (revoked_at < $1 OR expires_at < $1) ORDER BY created_at, id LIMIT $2)";
        execute!(self, sql, before, limit)
    }
}

#[cfg(test)]
#[path = "api_keys_tests.rs"]
mod tests;
