//! Passkeys, and the challenges that were used.

use super::{Conn, Result, Tx};
use crate::model::ids::{PasskeyId, UserId};
use crate::model::time::Time;

pub struct PasskeyRow {
    pub id: PasskeyId,
    pub user_id: UserId,
    /// Its id at the authenticator.
    pub credential_id: Vec<u8>,
    pub name: String,
    /// Key and flags.
    pub credential: Vec<u8>,
    /// The authenticator's last count of signatures.
    pub counter: i64,
    /// Whether it is backed up, for example to its vendor's cloud.
    pub backed_up: bool,
    pub created_at: Time,
    pub last_used_at: Option<Time>,
}

row!(PasskeyRow { id, user_id, credential_id, name, credential, counter, backed_up, created_at, last_used_at });

macro_rules! select_passkey {
    ($where:literal) => {
        concat!(
            "SELECT id, user_id, credential_id, name, credential, counter, backed_up, created_at, last_used_at \
             FROM passkeys ",
            $where
        )
    };
}

impl Conn {
    /// The passkey with this id at its authenticator.
    pub async fn passkey_find_by_credential(&mut self, credential_id: &[u8]) -> Result<Option<PasskeyRow>> {
        fetch_optional!(self, select_passkey!("WHERE credential_id = $1"), credential_id)
    }

    pub async fn passkey_find(&mut self, user: UserId, id: PasskeyId) -> Result<Option<PasskeyRow>> {
        fetch_optional!(self, select_passkey!("WHERE id = $1 AND user_id = $2"), id, user)
    }

    /// The passkeys of a user, the oldest first.
    pub async fn passkeys_of_user(&mut self, user: UserId) -> Result<Vec<PasskeyRow>> {
        fetch_all!(self, select_passkey!("WHERE user_id = $1 ORDER BY id"), user)
    }
}

impl Tx {
    /// Stores a passkey; `false` if there is one with its id at the authenticator already.
    pub async fn passkey_create(&mut self, row: &PasskeyRow) -> Result<bool> {
        self.invalidates_sessions();
        let sql = "INSERT INTO passkeys (id, user_id, credential_id, name, credential, counter, backed_up, created_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (credential_id) DO NOTHING";
        let created = execute!(
            self,
            sql,
            row.id,
            row.user_id,
            &row.credential_id,
            &row.name,
            &row.credential,
            row.counter,
            row.backed_up,
            row.created_at
        )?;
        Ok(created > 0)
    }

    /// Records a use, with the authenticator's data about the passkey.
    pub async fn passkey_use(&mut self, id: PasskeyId, credential: &[u8], counter: i64, backed_up: bool) -> Result<()> {
        let sql = "UPDATE passkeys SET credential = $2, counter = $3, backed_up = $4, last_used_at = $5 WHERE id = $1";
        execute!(self, sql, id, credential, counter, backed_up, self.now()).map(drop)
    }

    /// Renames a passkey of a user; `false` if there is no such passkey.
    pub async fn passkey_rename(&mut self, user: UserId, id: PasskeyId, name: &str) -> Result<bool> {
        Ok(execute!(self, "UPDATE passkeys SET name = $3 WHERE id = $1 AND user_id = $2", id, user, name)? > 0)
    }

    /// Removes a passkey of a user; `false` if there is no such passkey.
    pub async fn passkey_delete(&mut self, user: UserId, id: PasskeyId) -> Result<bool> {
        self.invalidates_sessions();
        Ok(execute!(self, "DELETE FROM passkeys WHERE id = $1 AND user_id = $2", id, user)? > 0)
    }

    /// Removes every passkey of a user; returns how many.
    pub async fn passkeys_delete_of_user(&mut self, user: UserId) -> Result<u64> {
        self.invalidates_sessions();
        execute!(self, "DELETE FROM passkeys WHERE user_id = $1", user)
    }

    /// Removes the passkeys of a user that were added at `since` or later.
    pub async fn passkeys_delete_since(&mut self, user: UserId, since: Time) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, "DELETE FROM passkeys WHERE user_id = $1 AND created_at >= $2", user, since).map(drop)
    }

    /// Records that a challenge was used; `false` if it was used before.
    pub async fn passkey_challenge_use(&mut self, challenge_hash: &[u8], expires_at: Time) -> Result<bool> {
        let sql = "INSERT INTO passkey_challenges (challenge_hash, expires_at) VALUES ($1, $2) \
            ON CONFLICT (challenge_hash) DO NOTHING";
        Ok(execute!(self, sql, challenge_hash, expires_at)? > 0)
    }

    /// Removes at most `limit` expired challenges; returns how many.
    pub async fn passkey_challenges_delete_expired(&mut self, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM passkey_challenges WHERE challenge_hash IN \
            (SELECT challenge_hash FROM passkey_challenges WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";
        execute!(self, sql, self.now(), limit)
    }
}
