//! What the sessions for developers go by: whose accounts, and which service.

use super::{Conn, Result, Tx};
use crate::model::ids::UserId;

/// Made by the command, and with nothing that a person or an operator has given it. The previous version notes no
/// `taken_at`, but leaves these.
const IS_FREE: &str = "SELECT user_id FROM dev_accounts d WHERE user_id = $1 AND taken_at IS NULL \
    AND NOT EXISTS (SELECT 1 FROM users WHERE id = d.user_id AND roles <> '') \
    AND NOT EXISTS (SELECT 1 FROM totp WHERE user_id = d.user_id AND confirmed_at IS NOT NULL) \
    AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = d.user_id) \
    AND NOT EXISTS (SELECT 1 FROM audit WHERE user_id = d.user_id AND kind IN \
        ('password_changed', 'password_reset', 'totp_enabled', 'passkey_added', 'roles_changed'))";

pub(super) const BASE_URL: &str = "SELECT base_url FROM instance WHERE id = 1";

impl Conn {
    /// Whether the command for developers made this account, and no person has taken it since.
    pub async fn dev_account_is_free(&mut self, user: UserId) -> Result<bool> {
        let found: Option<UserId> = fetch_optional_scalar!(self, IS_FREE, user)?;
        Ok(found.is_some())
    }

    /// Every account that the command for developers made and whose mailbox nobody has shown to read.
    pub async fn dev_accounts(&mut self) -> Result<Vec<UserId>> {
        fetch_scalars!(self, "SELECT user_id FROM dev_accounts ORDER BY user_id")
    }

    /// The base URL of the service that started last; `None` before the first start.
    pub async fn instance_base_url(&mut self) -> Result<Option<String>> {
        let found: Option<Option<String>> = fetch_optional_scalar!(self, BASE_URL)?;
        Ok(found.flatten())
    }
}

impl Tx {
    /// Records that the command for developers made this account.
    pub async fn dev_account_create(&mut self, user: UserId) -> Result<()> {
        execute!(self, "INSERT INTO dev_accounts (user_id) VALUES ($1)", user).map(drop)
    }

    /// Records that an account, if the command for developers made it, is a person's or an operator's from now on.
    pub(super) async fn dev_account_take(&mut self, user: UserId) -> Result<()> {
        let now = self.now();
        execute!(self, "UPDATE dev_accounts SET taken_at = $2 WHERE user_id = $1 AND taken_at IS NULL", user, now)?;
        Ok(())
    }

    /// Forgets that the command for developers made an account; `false` if it did not, or that was forgotten before.
    pub async fn dev_account_delete(&mut self, user: UserId) -> Result<bool> {
        Ok(execute!(self, "DELETE FROM dev_accounts WHERE user_id = $1", user)? > 0)
    }

    /// Notes the base URL of the service that starts.
    pub async fn instance_set_base_url(&mut self, url: &str) -> Result<()> {
        execute!(self, "UPDATE instance SET base_url = $1 WHERE id = 1", url).map(drop)
    }
}
