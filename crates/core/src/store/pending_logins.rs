//! Pending logins, whose second factor (the MFA challenge) has not been verified yet.

use super::{Conn, Result, Tx};
use crate::model::auth_method::AuthMethods;
use crate::model::authentication::Authentication;
use crate::model::ids::UserId;
use crate::model::provider::ProviderName;
use crate::model::time::Time;

pub struct PendingLoginRow {
    /// The keyed hash of its token.
    pub token_hash: Vec<u8>,
    /// Whose password was right, or whose account at a provider logged in.
    pub user_id: UserId,
    /// The fingerprint of the password's hash; empty without a password.
    pub credential: Vec<u8>,
    /// The login so far; `None` in rows of versions that knew only passwords.
    pub begun: Option<Authentication>,
    /// The number of second factors tried.
    pub tries: i64,
    pub expires_at: Time,
}

struct Columns {
    token_hash: Vec<u8>,
    user_id: UserId,
    credential: Vec<u8>,
    methods: Option<AuthMethods>,
    provider: Option<ProviderName>,
    authenticated_at: Option<Time>,
    tries: i64,
    expires_at: Time,
}

row!(Columns { token_hash, user_id, credential, methods, provider, authenticated_at, tries, expires_at });

impl From<Columns> for PendingLoginRow {
    fn from(row: Columns) -> Self {
        let Columns { token_hash, user_id, credential, methods, provider, authenticated_at, tries, expires_at } = row;
        let begun = methods.map(|methods| Authentication { methods, provider, proved_at: authenticated_at });
        Self { token_hash, user_id, credential, begun, tries, expires_at }
    }
}

const FIND: &str = "SELECT token_hash, user_id, credential, methods, provider, authenticated_at, tries, expires_at \
                    FROM half_log_ins WHERE token_hash = $1";

const OF_USER: &str = "SELECT token_hash, user_id, credential, methods, provider, authenticated_at, tries, expires_at \
                       FROM half_log_ins WHERE user_id = $1";

impl Conn {
    /// The pending login whose token has this keyed hash.
    pub async fn pending_login_find(&mut self, token_hash: &[u8]) -> Result<Option<PendingLoginRow>> {
        let row: Option<Columns> = fetch_optional!(self, FIND, token_hash)?;
        Ok(row.map(PendingLoginRow::from))
    }

    pub async fn pending_login_rows_of_user(&mut self, user: UserId) -> Result<Vec<PendingLoginRow>> {
        let rows: Vec<Columns> = fetch_all!(self, OF_USER, user)?;
        Ok(rows.into_iter().map(PendingLoginRow::from).collect())
    }

    /// When a user's pending logins began, and when they expire.
    pub async fn pending_logins_of_user(&mut self, user: UserId) -> Result<Vec<(Time, Time)>> {
        fetch_all!(self, "SELECT created_at, expires_at FROM half_log_ins WHERE user_id = $1 ORDER BY created_at", user)
    }
}

impl Tx {
    pub async fn pending_login_create(&mut self, row: &PendingLoginRow) -> Result<()> {
        let now = self.now();
        let begun = row.begun.as_ref();
        let sql = "INSERT INTO half_log_ins (token_hash, user_id, credential, tries, created_at, expires_at, methods, \
            provider, authenticated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
        execute!(
            self,
            sql,
            &row.token_hash,
            row.user_id,
            &row.credential,
            row.tries,
            now,
            row.expires_at,
            begun.map(|begun| begun.methods),
            begun.and_then(|begun| begun.provider.as_ref()),
            begun.and_then(|begun| begun.proved_at)
        )?;
        Ok(())
    }

    /// Counts a try, if there were fewer than `limit`; `false` if none is left.
    pub async fn pending_login_count_attempt(&mut self, token_hash: &[u8], limit: i64) -> Result<bool> {
        let sql = "UPDATE half_log_ins SET tries = tries + 1 WHERE token_hash = $1 AND tries < $2";
        Ok(execute!(self, sql, token_hash, limit)? > 0)
    }

    /// Removes a pending login; `false` if another request has removed it.
    pub async fn pending_login_delete(&mut self, token_hash: &[u8]) -> Result<bool> {
        Ok(execute!(self, "DELETE FROM half_log_ins WHERE token_hash = $1", token_hash)? > 0)
    }

    pub async fn pending_logins_delete_of_user(&mut self, user: UserId) -> Result<()> {
        execute!(self, "DELETE FROM half_log_ins WHERE user_id = $1", user).map(drop)
    }

    /// Removes at most `limit` expired pending logins; returns how many.
    pub async fn pending_logins_delete_expired(&mut self, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM half_log_ins WHERE token_hash IN \
            (SELECT token_hash FROM half_log_ins WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";
        execute!(self, sql, self.now(), limit)
    }
}
