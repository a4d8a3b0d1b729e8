//! What the sessions for developers go by: whose accounts, and which service.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;

impl Conn {
    /// Whether the command for developers made this account.
    pub async fn dev_account_exists(&mut self, user: UserId) -> Result<bool> {
        let found: Option<UserId> = with_engine!(self, |c| {
            sqlx::query_scalar("SELECT user_id FROM dev_accounts WHERE user_id = $1").bind(user).fetch_optional(c)
        })?;
        Ok(found.is_some())
    }

    /// The base URL of the service that started last; `None` before the first start.
    pub async fn instance_base_url(&mut self) -> Result<Option<String>> {
        let found: Option<Option<String>> = with_engine!(self, |c| {
            sqlx::query_scalar("SELECT base_url FROM instance WHERE id = 1").fetch_optional(c)
        })?;
        Ok(found.flatten())
    }
}

impl Tx {
    /// Records that the command for developers made this account.
    pub async fn dev_account_create(&mut self, user: UserId) -> Result<()> {
        execute!(self, |c| sqlx::query("INSERT INTO dev_accounts (user_id) VALUES ($1)").bind(user))?;
        Ok(())
    }

    /// Notes the base URL of the service that starts.
    pub async fn instance_set_base_url(&mut self, url: &str) -> Result<()> {
        execute!(self, |c| sqlx::query("UPDATE instance SET base_url = $1 WHERE id = 1").bind(url))?;
        Ok(())
    }
}
