//! The link that makes the first administrator.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;
use crate::model::time::Time;

impl Conn {
    /// Whether an account other than `but_for` is an administrator. The role stands first among those of an account.
    pub async fn administrator_exists(&mut self, but_for: Option<UserId>) -> Result<bool> {
        let sql = "SELECT id FROM users WHERE roles <> '' AND (roles = 'admin' OR roles LIKE 'admin,%') AND id <> $1 \
            LIMIT 1";
        let found: Option<UserId> = fetch_optional_scalar!(self, sql, but_for.unwrap_or(UserId(uuid::Uuid::nil())))?;
        Ok(found.is_some())
    }

    /// Whether the link with this keyed hash is the current one, and has not expired.
    pub async fn setup_link_exists(&mut self, token_hash: &[u8]) -> Result<bool> {
        let now = self.now();
        let sql = "SELECT expires_at FROM setup_links WHERE id = 1 AND token_hash = $1";
        let found: Option<Time> = fetch_optional_scalar!(self, sql, token_hash)?;
        Ok(found.is_some_and(|expires_at| now < expires_at))
    }
}

impl Tx {
    /// Stores a link in the place of the one before.
    pub async fn setup_link_set(&mut self, token_hash: &[u8], expires_at: Time) -> Result<()> {
        let sql = "INSERT INTO setup_links (id, token_hash, expires_at) VALUES (1, $1, $2) \
            ON CONFLICT (id) DO UPDATE SET token_hash = $1, expires_at = $2";
        execute!(self, sql, token_hash, expires_at).map(drop)
    }

    /// Removes the link, if there is one.
    pub async fn setup_link_delete(&mut self) -> Result<()> {
        execute!(self, "DELETE FROM setup_links WHERE id = 1").map(drop)
    }

    /// Removes the link with this keyed hash; `false` if another request has used it, or it has expired.
    pub async fn setup_link_take(&mut self, token_hash: &[u8]) -> Result<bool> {
        let sql = "DELETE FROM setup_links WHERE id = 1 AND token_hash = $1 AND expires_at > $2";
        Ok(execute!(self, sql, token_hash, self.now())? > 0)
    }
}
