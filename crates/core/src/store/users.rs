//! Users. What writes an address or a name of one writes the words with it by which people are found.

use super::{Conn, Result, Tx};
use crate::messages::Locale;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::AccountTarget;
use crate::model::roles::Roles;
use crate::model::time::Time;
use crate::model::user_label::UserLabel;

#[derive(Clone)]
pub struct UserRow {
    pub id: UserId,
    /// Email address, as the user wrote it.
    pub email: String,
    /// Username, as the user wrote it.
    pub username: String,
    /// The Argon2id hash, if the user has a password.
    pub password_hash: Option<String>,
    pub roles: Roles,
    pub email_verified_at: Option<Time>,
    pub disabled_at: Option<Time>,
    pub created_at: Time,
    /// The language of the mails to it; `None`: not known, the default.
    pub language: Option<Locale>,
    pub name: Option<String>,
}

row!(UserRow { id, email, username, password_hash, roles, email_verified_at, disabled_at, created_at, language, name });

impl UserRow {
    pub fn label(&self) -> UserLabel<'_> {
        UserLabel::new(self.name.as_deref(), &self.email, &self.username)
    }
}

macro_rules! select_user {
    ($where:literal) => {
        concat!(
            "SELECT id, email, username, password_hash, roles, email_verified_at, disabled_at, created_at, language, \
             name FROM users ",
            $where
        )
    };
}

/// The role stands first among those of an account.
pub(super) const ADMINISTRATORS: &str = select_user!(
    "WHERE roles <> '' AND (roles = 'admin' OR roles LIKE 'admin,%') AND disabled_at IS NULL ORDER BY id LIMIT $1"
);
pub(super) const LANGUAGE_AT: &str = "SELECT language FROM users WHERE email_key = $1 UNION ALL \
    SELECT u.language FROM account_tokens t JOIN users u ON u.id = t.user_id \
    WHERE t.email_key = $1 AND t.kind = 'email_undo' AND t.expires_at > $2 LIMIT 1";

impl Conn {
    pub async fn user_find(&mut self, id: UserId) -> Result<Option<UserRow>> {
        fetch_optional!(self, select_user!("WHERE id = $1"), id)
    }

    /// The user with this folded email address.
    pub async fn user_find_by_email(&mut self, email_key: &str) -> Result<Option<UserRow>> {
        fetch_optional!(self, select_user!("WHERE email_key = $1"), email_key)
    }

    pub async fn user_find_by_username(&mut self, username_key: &str) -> Result<Option<UserRow>> {
        fetch_optional!(self, select_user!("WHERE username_key = $1"), username_key)
    }

    /// The administrators who are not disabled, the oldest accounts first; at most `limit`.
    pub async fn user_administrators(&mut self, limit: i64) -> Result<Vec<UserRow>> {
        fetch_all!(self, ADMINISTRATORS, limit)
    }

    /// The language of the account that holds a folded email address, or that can still restore it after a change.
    pub async fn user_language_at(&mut self, email_key: &str) -> Result<Option<Locale>> {
        let found: Option<Option<Locale>> = fetch_optional_scalar!(self, LANGUAGE_AT, email_key, self.now())?;
        Ok(found.flatten())
    }
}

impl Tx {
    /// Requires that the permit covers an account that was read under its lock, and that keeps its rights.
    pub fn require_changeable(&mut self, account: &UserRow) -> Result<()> {
        self.require_account(AccountTarget::new(account.id, account.roles))
    }

    /// Locks an account for a change that its user makes in a session; `None` also if that session has ended meanwhile,
    /// for example because the account was restored to its owner during the request.
    pub async fn user_lock_in(&mut self, id: UserId, session: Option<SessionId>) -> Result<Option<UserRow>> {
        let Some(user) = self.user_lock(id).await? else { return Ok(None) };
        let Some(session) = session else { return Ok(Some(user)) };
        Ok(self.session_is_open(id, session).await?.then_some(user))
    }

    /// As [`user_lock_in`](Self::user_lock_in), of the person who acts and the session in which they do.
    pub async fn user_lock_own(&mut self) -> Result<Option<UserRow>> {
        let user = self.require_user()?;
        let session = self.principal().actor().session();
        self.user_lock_in(user, session).await
    }

    /// The user with this id, locked until the end of this transaction.
    pub async fn user_lock(&mut self, id: UserId) -> Result<Option<UserRow>> {
        // Not the key column: SQLite would check all rows that refer to it.
        execute!(self, "UPDATE users SET updated_at = updated_at WHERE id = $1", id)?;
        self.user_find(id).await
    }

    /// Stores a new user. `email_key` and `username_key` are the folded forms that must be unique.
    pub async fn user_create(&mut self, user: &UserRow, email_key: &str, username_key: &str) -> Result<()> {
        let sql = "INSERT INTO users (id, email, email_key, username, username_key, password_hash, roles, \
            email_verified_at, disabled_at, created_at, language, updated_at) \
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $10)";
        execute!(
            self,
            sql,
            user.id,
            &user.email,
            email_key,
            &user.username,
            username_key,
            &user.password_hash,
            user.roles,
            user.email_verified_at,
            user.disabled_at,
            user.created_at,
            user.language
        )?;
        self.username_take(user.id, username_key).await?;
        self.user_words_create(user, email_key, username_key).await
    }

    /// Sets the language of the mails to an account.
    pub async fn user_set_language(&mut self, id: UserId, language: Locale) -> Result<()> {
        execute!(self, "UPDATE users SET language = $2 WHERE id = $1", id, language).map(drop)
    }

    /// Sets or clears what a user is called.
    pub async fn user_set_name(&mut self, id: UserId, name: Option<&str>) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, "UPDATE users SET name = $2, updated_at = $3 WHERE id = $1", id, name, self.now())?;
        self.user_words_renew(&[id]).await.map(drop)
    }

    /// Removes a user, whose sessions and memberships are removed already.
    pub async fn user_delete(&mut self, id: UserId) -> Result<()> {
        self.invalidates_sessions();
        self.username_keep(id, "").await?;
        execute!(self, "DELETE FROM users WHERE id = $1", id).map(drop)
    }

    /// Sets the password's hash, if it still is `old`: a slow upgrade must not undo a change of password.
    pub async fn user_set_password_hash(&mut self, id: UserId, old: Option<&str>, new: &str) -> Result<bool> {
        let sql = "UPDATE users SET password_hash = $2, updated_at = $3 \
            WHERE id = $1 AND COALESCE(password_hash, '') = $4";
        Ok(execute!(self, sql, id, new, self.now(), old.unwrap_or(""))? > 0)
    }

    pub async fn user_clear_password(&mut self, id: UserId) -> Result<()> {
        execute!(self, "UPDATE users SET password_hash = NULL, updated_at = $2 WHERE id = $1", id, self.now()).map(drop)
    }

    /// Sets the email address, which is verified as of now. `email_key` is the folded form that must be unique.
    pub async fn user_set_email(&mut self, id: UserId, email: &str, email_key: &str) -> Result<()> {
        self.invalidates_sessions();
        let sql = "UPDATE users SET email = $2, email_key = $3, email_verified_at = $4, updated_at = $4 WHERE id = $1";
        execute!(self, sql, id, email, email_key, self.now())?;
        self.user_words_renew(&[id]).await.map(drop)
    }

    /// Sets the email address, which is verified as of now or not at all. `email_key` is the folded form that must be
    /// unique.
    pub async fn user_set_email_as(&mut self, id: UserId, email: &str, email_key: &str, verified: bool) -> Result<()> {
        self.invalidates_sessions();
        let now = self.now();
        let sql = "UPDATE users SET email = $2, email_key = $3, email_verified_at = $4, updated_at = $5 WHERE id = $1";
        execute!(self, sql, id, email, email_key, verified.then_some(now), now)?;
        self.user_words_renew(&[id]).await.map(drop)
    }

    /// Sets an unverified address, which is its own folded form.
    pub async fn user_set_email_unverified(&mut self, id: UserId, email: &str) -> Result<()> {
        self.invalidates_sessions();
        let sql =
            "UPDATE users SET email = $2, email_key = $2, email_verified_at = NULL, updated_at = $3 WHERE id = $1";
        execute!(self, sql, id, email, self.now())?;
        self.user_words_renew(&[id]).await.map(drop)
    }

    /// Records that the email address is verified.
    pub async fn user_set_email_verified(&mut self, id: UserId) -> Result<()> {
        self.invalidates_sessions();
        let now = self.now();
        execute!(self, "UPDATE users SET email_verified_at = $2, updated_at = $2 WHERE id = $1", id, now).map(drop)
    }

    /// Sets the name and its folded form, which must be unique.
    pub async fn user_set_username(&mut self, id: UserId, username: &str, username_key: &str) -> Result<()> {
        self.invalidates_sessions();
        self.username_keep(id, username_key).await?;
        let sql = "UPDATE users SET username = $2, username_key = $3, updated_at = $4 WHERE id = $1";
        execute!(self, sql, id, username, username_key, self.now())?;
        self.username_take(id, username_key).await?;
        self.user_words_renew(&[id]).await.map(drop)
    }

    /// Disables or enables the user; `false` if that changes nothing.
    pub async fn user_set_disabled(&mut self, id: UserId, disabled: bool) -> Result<bool> {
        self.invalidates_sessions();
        let sql = "UPDATE users SET disabled_at = CASE WHEN $2 THEN $3 END, updated_at = $3 \
            WHERE id = $1 AND (disabled_at IS NOT NULL) <> $2";
        Ok(execute!(self, sql, id, disabled, self.now())? > 0)
    }

    /// Sets the platform roles; `false` if that changes nothing.
    pub async fn user_set_roles(&mut self, id: UserId, roles: Roles) -> Result<bool> {
        self.invalidates_sessions();
        let sql = "UPDATE users SET roles = $2, updated_at = $3 WHERE id = $1 AND roles <> $2";
        Ok(execute!(self, sql, id, roles, self.now())? > 0)
    }
}

#[cfg(test)]
#[path = "users_tests.rs"]
mod tests;
