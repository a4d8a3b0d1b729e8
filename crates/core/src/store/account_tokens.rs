//! Account tokens: mailed links and codes that have not been used yet.

use super::{Conn, Result, Tx};
use crate::messages::Locale;
use crate::model::ids::{AccountTokenId, InvitationId, UserId};
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;

/// A mailed link, with a code for some kinds, that has not been used yet.
#[derive(Clone)]
pub struct AccountTokenRow {
    /// Its id, the same for every mail about it.
    pub id: AccountTokenId,
    /// What the link or the code does.
    pub kind: AccountTokenKind,
    /// Whose account; `None` for a signup, whose account begins with the verification.
    pub user_id: Option<UserId>,
    /// The address that is verified, or restored.
    pub email: String,
    /// The folded address.
    pub email_key: String,
    /// The keyed hash of the code, if there is one.
    pub code_hash: Option<Vec<u8>>,
    /// Wrong codes typed since the last mail.
    pub wrong_codes: i64,
    /// When the last mail was queued.
    pub sent_at: Time,
    /// When it was first requested.
    pub created_at: Time,
    /// When the link ends.
    pub expires_at: Time,
    /// Where the flow ends, already validated.
    pub return_to: Option<String>,
    /// The username that a signup chose; `None`: derived from the address.
    pub username: Option<String>,
    /// The hash of the password that a signup chose.
    pub password_hash: Option<String>,
    /// The invitation that a signup accepts.
    pub invitation_id: Option<InvitationId>,
    /// The language of a signup's page.
    pub language: Option<Locale>,
}

row!(AccountTokenRow {
    id,
    kind,
    user_id,
    email,
    email_key,
    code_hash,
    wrong_codes,
    sent_at,
    created_at,
    expires_at,
    return_to,
    username,
    password_hash,
    invitation_id,
    language,
});

macro_rules! select_token {
    ($rest:literal) => {
        concat!(
            "SELECT id, kind, user_id, email, email_key, code_hash, wrong_codes, sent_at, created_at, expires_at, \
             return_to, username, password_hash, invitation_id, language FROM account_tokens ",
            $rest
        )
    };
}

impl Conn {
    pub async fn account_token_find(&mut self, id: AccountTokenId) -> Result<Option<AccountTokenRow>> {
        fetch_optional!(self, select_token!("WHERE id = $1"), id)
    }

    /// The row whose link has this keyed hash.
    pub async fn account_token_find_by_hash(&mut self, hash: &[u8]) -> Result<Option<AccountTokenRow>> {
        fetch_optional!(self, select_token!("WHERE token_hash = $1"), hash)
    }

    /// The newest row of this kind for an account.
    pub async fn account_token_of_user(
        &mut self,
        user: UserId,
        kind: AccountTokenKind,
    ) -> Result<Option<AccountTokenRow>> {
        fetch_optional!(
            self,
            select_token!("WHERE user_id = $1 AND kind = $2 ORDER BY created_at DESC, id DESC LIMIT 1"),
            user,
            kind
        )
    }

    /// Every row of an account, the oldest first.
    pub async fn account_tokens_of_user(&mut self, user: UserId) -> Result<Vec<AccountTokenRow>> {
        fetch_all!(self, select_token!("WHERE user_id = $1 ORDER BY created_at, id"), user)
    }

    /// Whether another user can still restore this address after a change.
    pub async fn email_is_reserved(&mut self, email_key: &str, but_for: Option<UserId>) -> Result<bool> {
        let sql = "SELECT CAST(1 AS BIGINT) FROM account_tokens \
            WHERE email_key = $1 AND kind = 'email_undo' AND user_id <> $2 AND expires_at > $3 LIMIT 1";
        let held: Option<i64> =
            fetch_optional_scalar!(self, sql, email_key, but_for.unwrap_or(UserId(uuid::Uuid::nil())), self.now())?;
        Ok(held.is_some())
    }
}

impl Tx {
    /// The row with this id, locked until the end of this transaction.
    pub async fn account_token_lock(&mut self, id: AccountTokenId) -> Result<Option<AccountTokenRow>> {
        execute!(self, "UPDATE account_tokens SET sent_at = sent_at WHERE id = $1", id)?;
        self.account_token_find(id).await
    }

    /// Stores a new row. `token_hash` is the keyed hash of its link.
    ///
    /// A row of an account that does not exist is not stored, at the same cost.
    pub async fn account_token_create(&mut self, row: &AccountTokenRow, token_hash: &[u8]) -> Result<bool> {
        let sql = "INSERT INTO account_tokens (id, kind, user_id, email, email_key, token_hash, code_hash, wrong_codes, \
            code_failures, sent_at, created_at, expires_at, return_to, username, password_hash, invitation_id, \
            language) SELECT $1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11, $12, $13, $14, $15, $16 \
            WHERE $17 OR EXISTS (SELECT 1 FROM users WHERE id = $3)";
        let created = execute!(
            self,
            sql,
            row.id,
            row.kind,
            row.user_id,
            &row.email,
            &row.email_key,
            token_hash,
            &row.code_hash,
            row.wrong_codes,
            row.sent_at,
            row.created_at,
            row.expires_at,
            &row.return_to,
            &row.username,
            &row.password_hash,
            row.invitation_id,
            row.language,
            row.user_id.is_none()
        )?;
        Ok(created > 0)
    }

    pub async fn account_token_renew(&mut self, row: &AccountTokenRow, token_hash: &[u8]) -> Result<()> {
        let sql = "UPDATE account_tokens SET token_hash = $2, code_hash = $3, wrong_codes = $4, sent_at = $5, \
            expires_at = $6, return_to = $7, language = $8 WHERE id = $1";
        execute!(
            self,
            sql,
            row.id,
            token_hash,
            &row.code_hash,
            row.wrong_codes,
            row.sent_at,
            row.expires_at,
            &row.return_to,
            row.language
        )?;
        Ok(())
    }

    pub async fn account_token_count_failure(&mut self, id: AccountTokenId) -> Result<()> {
        execute!(self, "UPDATE account_tokens SET wrong_codes = wrong_codes + 1 WHERE id = $1", id).map(drop)
    }

    /// Removes a row; `false` if it was gone.
    pub async fn account_token_delete(&mut self, id: AccountTokenId) -> Result<bool> {
        Ok(execute!(self, "DELETE FROM account_tokens WHERE id = $1", id)? > 0)
    }

    /// Removes the rows of a kind for an account.
    pub async fn account_tokens_delete_of_user(&mut self, user: UserId, kind: AccountTokenKind) -> Result<()> {
        execute!(self, "DELETE FROM account_tokens WHERE user_id = $1 AND kind = $2", user, kind).map(drop)
    }

    /// Removes the links that undo changes of an account's address, for changes at `since` or later.
    pub async fn account_tokens_delete_undos_since(&mut self, user: UserId, since: Time) -> Result<()> {
        let sql = "DELETE FROM account_tokens WHERE user_id = $1 AND kind = 'email_undo' AND created_at >= $2";
        execute!(self, sql, user, since).map(drop)
    }

    /// Removes the signups that wait for the verification of an address.
    pub async fn account_tokens_delete_signups(&mut self, email_key: &str) -> Result<()> {
        execute!(self, "DELETE FROM account_tokens WHERE email_key = $1 AND kind = 'sign_up'", email_key).map(drop)
    }

    /// Removes at most `limit` rows that expired before `before`; returns how many.
    pub async fn account_tokens_delete_expired(&mut self, before: Time, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM account_tokens WHERE id IN \
            (SELECT id FROM account_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";
        execute!(self, sql, before, limit)
    }
}
