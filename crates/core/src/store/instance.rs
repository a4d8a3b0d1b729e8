//! The one row that ties a database to its secret key.

use super::{Conn, Result, Tx};
use crate::model::time::Time;

impl Conn {
    /// The sealed check value, if the database already has one.
    pub async fn instance_key_check(&mut self) -> Result<Option<Vec<u8>>> {
        fetch_optional_scalar!(self, "SELECT key_check FROM instance WHERE id = 1")
    }
}

impl Conn {
    /// When the database was made; `None` before the first start.
    pub async fn instance_created_at(&mut self) -> Result<Option<Time>> {
        fetch_optional_scalar!(self, "SELECT created_at FROM instance WHERE id = 1")
    }

    /// When a backup was last made, as far as it was recorded.
    pub async fn instance_backed_up_at(&mut self) -> Result<Option<Time>> {
        let sql = "SELECT backed_up_at FROM instance WHERE id = 1";
        let found: Option<Option<Time>> = fetch_optional_scalar!(self, sql)?;
        Ok(found.flatten())
    }

    /// Whether the service was last started with webhooks.
    pub async fn instance_has_webhooks(&mut self) -> Result<bool> {
        let webhooks = fetch_optional_scalar!(self, "SELECT webhooks FROM instance WHERE id = 1")?;
        Ok(webhooks.unwrap_or(false))
    }
}

impl Tx {
    /// Stores the check value of a new database, unless another process has stored one.
    pub async fn instance_create(&mut self, key_check: &[u8]) -> Result<()> {
        let sql = "INSERT INTO instance (id, key_check, webhooks, created_at) VALUES (1, $1, FALSE, $2) \
            ON CONFLICT (id) DO NOTHING";
        execute!(self, sql, key_check, self.now()).map(drop)
    }

    /// Replaces the check value, after everything was sealed with another key.
    pub async fn instance_set_key_check(&mut self, key_check: &[u8]) -> Result<()> {
        execute!(self, "UPDATE instance SET key_check = $1 WHERE id = 1", key_check).map(drop)
    }

    /// Records that a backup was made now.
    pub async fn instance_backed_up(&mut self) -> Result<()> {
        execute!(self, "UPDATE instance SET backed_up_at = $1 WHERE id = 1", self.now()).map(drop)
    }

    /// A lock that one process holds at a time: the others wait here for the end of this transaction.
    pub async fn instance_lock(&mut self) -> Result<()> {
        execute!(self, "UPDATE instance SET id = 1 WHERE id = 1").map(drop)
    }
}
