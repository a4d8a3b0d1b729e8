//! Writing sessions. What decides a refresh is changed only under the row's version, or raises it.

use super::last_use::SessionUse;
use super::read::FIND;
use super::row::{SessionRow, UsedSession};
use crate::model::auth_method::{AuthMethod, AuthMethods};
use crate::model::authentication::Authentication;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::provider::ProviderName;
use crate::model::time::Time;
use crate::store::sql::Sql;
use crate::store::{Conn, Result, Tx};

/// `marks`: whether the current refresh token is newly known to have arrived. The rows are locked in the order of the
/// list, so that two processes that write the same sessions cannot deadlock. `LATERAL` makes the planner look up each that
/// it locks by its id even when its statistics say that the table is nearly empty.
macro_rules! record_uses {
    ($marks:literal) => {
        dialect_sql!(
            sql("WITH asked AS (SELECT "),
            sqlite("unhex(replace(value ->> 'id', '-', '')) AS id, value ->> 'used_at' AS used_at, "),
            sqlite("value ->> 'received' AS received FROM json_each($1))"),
            postgres("id, timestamptz 'epoch' + used_at * interval '1 microsecond' AS used_at, received "),
            postgres("FROM json_to_recordset($1::json) AS asked (id uuid, used_at bigint, received bigint)), "),
            postgres("held AS MATERIALIZED (SELECT asked.* FROM asked CROSS JOIN LATERAL (SELECT 1 FROM sessions s "),
            postgres("WHERE s.id = asked.id FOR NO KEY UPDATE OF s) locked)"),
            sql(" UPDATE sessions SET used = used OR "),
            sql($marks),
            sql(", version = CASE WHEN "),
            sql($marks),
            sql(" THEN version + 1 ELSE version END, last_used_at = CASE WHEN last_used_at < asked.used_at "),
            sql("THEN asked.used_at ELSE last_used_at END FROM "),
            sqlite("asked"),
            postgres("held AS asked"),
            sql(" WHERE sessions.id = asked.id AND (last_used_at < asked.used_at OR "),
            sql($marks),
            sql(") RETURNING "),
            sqlite("id"),
            postgres("sessions.id"),
            sql(", generation, used, version, last_used_at"),
        )
    };
}

const RECORD_USES: Sql =
    record_uses!("(generation IS NOT DISTINCT FROM asked.received AND NOT used AND ended_at IS NULL)");

pub struct NewSession<'a> {
    pub id: SessionId,
    pub user_id: UserId,
    pub organization_id: OrganizationId,
    /// Random bytes that the refresh tokens are derived from.
    pub nonce: &'a [u8],
    pub user_agent: &'a str,
    pub address: &'a str,
    pub created_at: Time,
    pub authenticated_at: Time,
    pub methods: AuthMethods,
    pub expires_at: Time,
    /// The provider that the login came from.
    pub provider: Option<&'a ProviderName>,
}

impl Conn {
    /// As [`SessionStore::read`](super::session_store::SessionStore::read), as this transaction sees it.
    pub async fn session_find(&mut self, id: SessionId) -> Result<Option<SessionRow>> {
        fetch_optional!(self, FIND, id)
    }
}

impl Tx {
    pub async fn session_create(&mut self, session: &NewSession<'_>) -> Result<()> {
        let sql = "INSERT INTO sessions (id, user_id, organization_id, nonce, generation, issued_at, used, version, \
            user_agent, address, created_at, last_used_at, expires_at, authenticated_at, methods, provider) \
            VALUES ($1, $2, $3, $4, 1, $7, FALSE, 1, $5, $6, $7, $7, $8, $9, $10, $11)";
        execute!(
            self,
            sql,
            session.id,
            session.user_id,
            session.organization_id,
            session.nonce,
            session.user_agent,
            session.address,
            session.created_at,
            session.expires_at,
            session.authenticated_at,
            session.methods,
            session.provider
        )?;
        Ok(())
    }

    /// Writes the token fields of `next`, if the session still has the version that `next` was decided on and has
    /// not ended; `false` means: read again, decide again.
    pub(super) async fn session_advance(&mut self, next: &SessionRow) -> Result<bool> {
        let sql = "UPDATE sessions SET generation = $3, issued_at = $4, used = $5, parent_generation = $6, \
            parent_issued_at = $7, replaced_at = $8, last_used_at = $9, version = version + 1 \
            WHERE id = $1 AND version = $2 AND ended_at IS NULL";
        let advanced = execute!(
            self,
            sql,
            next.id,
            next.version,
            next.tokens.generation,
            next.tokens.issued_at,
            next.tokens.used,
            next.tokens.parent_generation,
            next.tokens.parent_issued_at,
            next.tokens.replaced_at,
            next.last_used_at
        )?;
        Ok(advanced > 0)
    }

    /// Records that the session's user, whom the transaction has locked, authenticated in this way; `false` if the session
    /// has ended. Does not increment the version, as it decides no refresh.
    pub async fn session_add_method(&mut self, id: SessionId, method: AuthMethod) -> Result<bool> {
        self.invalidates_sessions();
        let sql = "SELECT methods, authenticated_at FROM sessions WHERE id = $1 AND ended_at IS NULL";
        let found: Option<(AuthMethods, Option<Time>)> = fetch_optional!(self, sql, id)?;
        let Some((methods, proved_at)) = found else { return Ok(false) };
        let shown = Authentication { methods, provider: None, proved_at }.with(method, self.now());
        let sql = "UPDATE sessions SET authenticated_at = $2, methods = $3 WHERE id = $1 AND ended_at IS NULL";
        Ok(execute!(self, sql, id, shown.proved_at, shown.methods)? > 0)
    }

    /// Removes every session of a user, ended ones too.
    pub async fn sessions_delete_of_user(&mut self, user: UserId) -> Result<()> {
        self.invalidates_sessions();
        execute!(self, "DELETE FROM sessions WHERE user_id = $1", user).map(drop)
    }

    /// Records uses of sessions, of which no two are of one, in the order of their ids. Where a refresh token is newly known
    /// to have arrived, and is still the current one, it increments the version: from now on the token before it decides
    /// otherwise. Returns the sessions that were changed, as they are then.
    pub(super) async fn sessions_record_uses(&mut self, uses: &[SessionUse]) -> Result<Vec<UsedSession>> {
        let uses = serde_json::to_string(uses)?;
        fetch_all!(self, RECORD_USES, &uses)
    }

    /// Removes at most `limit` sessions whose absolute end is before `before`; returns how many.
    pub async fn sessions_delete_expired(&mut self, before: Time, limit: i64) -> Result<u64> {
        let sql = "DELETE FROM sessions WHERE id IN \
            (SELECT id FROM sessions WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)";
        execute!(self, sql, before, limit)
    }
}
