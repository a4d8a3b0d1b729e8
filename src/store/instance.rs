//! The one row that ties a database to its secret key.

use super::{Conn, Result, Tx};

impl Conn {
    /// The sealed check value, if the database already has one.
    pub async fn instance_key_check(&mut self) -> Result<Option<Vec<u8>>> {
        on!(self, |c| sqlx::query_scalar("SELECT key_check FROM instance WHERE id = 1").fetch_optional(c))
    }
}

impl Conn {
    /// Whether the service was last started with webhooks.
    pub async fn instance_has_webhooks(&mut self) -> Result<bool> {
        let webhooks =
            on!(self, |c| sqlx::query_scalar("SELECT webhooks FROM instance WHERE id = 1").fetch_optional(c))?;
        Ok(webhooks.unwrap_or(false))
    }
}

impl Tx {
    /// Notes whether the service was started with webhooks.
    pub async fn instance_set_webhooks(&mut self, webhooks: bool) -> Result<()> {
        changed!(self, |c| sqlx::query("UPDATE instance SET webhooks = $1 WHERE id = 1 AND webhooks <> $1")
            .bind(webhooks))?;
        Ok(())
    }

    /// Stores the check value of a new database; keeps the one that another process may just have stored.
    pub async fn instance_create(&mut self, key_check: &[u8]) -> Result<()> {
        let now = self.now();
        changed!(self, |c| {
            sqlx::query(
                "INSERT INTO instance (id, key_check, webhooks, created_at) VALUES (1, $1, FALSE, $2) \
                 ON CONFLICT (id) DO NOTHING",
            )
            .bind(key_check)
            .bind(now)
        })?;
        Ok(())
    }

    /// Replaces the check value, after everything was sealed with another key.
    pub async fn instance_set_key_check(&mut self, key_check: &[u8]) -> Result<()> {
        changed!(self, |c| sqlx::query("UPDATE instance SET key_check = $1 WHERE id = 1").bind(key_check))?;
        Ok(())
    }

    /// Lets one process at a time do what must happen once: the others wait here for this transaction's end.
    pub async fn instance_lock(&mut self) -> Result<()> {
        changed!(self, |c| sqlx::query("UPDATE instance SET id = 1 WHERE id = 1"))?;
        Ok(())
    }
}
