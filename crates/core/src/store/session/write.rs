//! Writing sessions: one row each, changed only under its version.

use super::row::{FIND, SessionRow};
use crate::model::auth_method::{AuthMethod, AuthMethods};
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::time::Time;
use crate::store::{Conn, Result, Tx};

/// What a new session starts with.
pub struct NewSession<'a> {
    /// The session's id.
    pub id: SessionId,
    /// Whose it is.
    pub user_id: UserId,
    /// The active organization.
    pub organization_id: OrganizationId,
    /// Random bytes that the refresh tokens are derived from.
    pub nonce: &'a [u8],
    /// The browser's description of itself.
    pub user_agent: &'a str,
    /// The client's address.
    pub address: &'a str,
    /// The login.
    pub created_at: Time,
    /// When the user authenticated.
    pub authenticated_at: Time,
    /// How.
    pub methods: AuthMethods,
    /// The session's absolute end.
    pub expires_at: Time,
}

impl Conn {
    /// As [`SessionStore::for_refresh`](super::door::SessionStore::for_refresh), as this transaction sees it.
    pub async fn session_find(&mut self, id: SessionId) -> Result<Option<SessionRow>> {
        with_engine!(self, |c| sqlx::query_as(FIND).bind(id).fetch_optional(c))
    }
}

impl Tx {
    /// Stores a new session.
    pub async fn session_create(&mut self, session: &NewSession<'_>) -> Result<()> {
        execute!(self, |c| {
            sqlx::query(
                "INSERT INTO sessions (id, user_id, organization_id, nonce, generation, issued_at, used, version, \
                 user_agent, address, created_at, last_used_at, expires_at, authenticated_at, methods) \
                 VALUES ($1, $2, $3, $4, 1, $7, FALSE, 1, $5, $6, $7, $7, $8, $9, $10)",
            )
            .bind(session.id)
            .bind(session.user_id)
            .bind(session.organization_id)
            .bind(session.nonce)
            .bind(session.user_agent)
            .bind(session.address)
            .bind(session.created_at)
            .bind(session.expires_at)
            .bind(session.authenticated_at)
            .bind(session.methods)
        })?;
        Ok(())
    }

    /// Writes the token fields of `next`, if the session still has the version that `next` was decided on and has
    /// not ended; `false` means: read again, decide again.
    pub(super) async fn session_advance(&mut self, next: &SessionRow) -> Result<bool> {
        let advanced = execute!(self, |c| {
            sqlx::query(
                "UPDATE sessions SET generation = $3, issued_at = $4, used = $5, parent_generation = $6, \
                 parent_issued_at = $7, replaced_at = $8, last_used_at = $9, version = version + 1 \
                 WHERE id = $1 AND version = $2 AND ended_at IS NULL",
            )
            .bind(next.id)
            .bind(next.version)
            .bind(next.tokens.generation)
            .bind(next.tokens.issued_at)
            .bind(next.tokens.used)
            .bind(next.tokens.parent_generation)
            .bind(next.tokens.parent_issued_at)
            .bind(next.tokens.replaced_at)
            .bind(next.last_used_at)
        })?;
        Ok(advanced > 0)
    }

    /// Records a reauthentication of the session's user, whom the transaction has locked; `false` if the session has
    /// ended. Does not increment the version, as it decides no refresh.
    pub async fn session_set_authenticated(&mut self, id: SessionId, method: AuthMethod) -> Result<bool> {
        self.invalidates_sessions();
        let now = self.now();
        let methods: Option<AuthMethods> = with_engine!(self, |c| {
            sqlx::query_scalar("SELECT methods FROM sessions WHERE id = $1 AND ended_at IS NULL")
                .bind(id)
                .fetch_optional(c)
        })?;
        let Some(methods) = methods else { return Ok(false) };
        let changed = execute!(self, |c| {
            sqlx::query("UPDATE sessions SET authenticated_at = $2, methods = $3 WHERE id = $1 AND ended_at IS NULL")
                .bind(id)
                .bind(now)
                .bind(methods.with(method))
        })?;
        Ok(changed > 0)
    }

    /// Removes every session of a user, ended ones too.
    pub async fn sessions_delete_of_user(&mut self, user: UserId) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, |c| sqlx::query("DELETE FROM sessions WHERE user_id = $1").bind(user))?;
        Ok(())
    }

    /// Records a session's last use. Does not increment the version, as it decides no refresh.
    pub async fn session_touch(&mut self, id: SessionId, used_at: Time) -> Result<()> {
        execute!(self, |c| {
            sqlx::query("UPDATE sessions SET last_used_at = $2 WHERE id = $1 AND last_used_at < $2")
                .bind(id)
                .bind(used_at)
        })?;
        Ok(())
    }

    /// Records that the current refresh token, if it is of this generation, has arrived, with the use that shows it;
    /// `false` if that is known already, or the token is another one. Increments the version: from now on the token before
    /// it decides otherwise.
    pub async fn session_mark_received(&mut self, id: SessionId, generation: i64, used_at: Time) -> Result<bool> {
        let marked = execute!(self, |c| {
            sqlx::query(
                "UPDATE sessions SET used = TRUE, version = version + 1, \
                 last_used_at = CASE WHEN last_used_at < $3 THEN $3 ELSE last_used_at END \
                 WHERE id = $1 AND generation = $2 AND NOT used AND ended_at IS NULL",
            )
            .bind(id)
            .bind(generation)
            .bind(used_at)
        })?;
        Ok(marked > 0)
    }

    /// Removes at most `limit` sessions whose absolute end is before `before`; returns how many.
    pub async fn sessions_delete_expired(&mut self, before: Time, limit: i64) -> Result<u64> {
        let deleted = execute!(self, |c| {
            sqlx::query(
                "DELETE FROM sessions WHERE id IN \
                 (SELECT id FROM sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)",
            )
            .bind(before)
            .bind(limit)
        })?;
        Ok(deleted)
    }
}
