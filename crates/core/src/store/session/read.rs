//! Reading a session as it is committed now.

use super::group::queue::FoundSession;
use super::memory::cache::StartedRead;
use super::row::{RefreshTokens, SessionRow};
use super::session_store::SessionStore;
use crate::model::auth_method::AuthMethods;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::{MemberRole, OrganizationKind};
use crate::model::roles::Roles;
use crate::model::session_view::{KnownSession, SessionView};
use crate::model::time::Time;
use crate::store::Result;
use crate::store::db::Db;
use std::sync::Arc;
use uuid::Uuid;

// Every column that a session shows stands in `columns.rs`, except `created_at` of the session, which never changes, and
// `last_used_at` and those of the refresh tokens, which decide only what is written.
macro_rules! session {
    ($id:literal) => {
        concat!(
            "SELECT s.user_id, u.email, u.username, u.roles, u.email_verified_at IS NOT NULL AS email_verified, \
             u.disabled_at, u.created_at, EXISTS (SELECT 1 FROM totp t WHERE t.user_id = s.user_id \
             AND t.confirmed_at IS NOT NULL) OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = s.user_id) \
             AS second_factor, s.organization_id, m.role AS organization_role, o.name AS organization_name, \
             o.kind AS organization_kind, s.methods, s.created_at AS opened_at, s.last_used_at, \
             COALESCE(s.authenticated_at, s.created_at) AS authenticated_at, s.expires_at, s.ended_at, \
             CASE WHEN s.used OR s.parent_generation IS NULL THEN s.generation ELSE s.generation - 1 END \
             AS received_generation, \
             s.id, s.nonce, s.generation, s.issued_at, s.used, s.parent_generation, s.parent_issued_at, s.replaced_at, \
             s.version, u.name, u.external_id FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN memberships m \
             ON m.organization_id = s.organization_id AND m.user_id = s.user_id \
             LEFT JOIN organizations o ON o.id = m.organization_id WHERE s.id = ",
            $id
        )
    };
}
pub(super) use session;

/// One session, in a transaction or on SQLite.
pub(super) const FIND: &str = session!("$1");

impl SessionStore<'_> {
    /// The session and its user, as they are committed now.
    pub async fn get(&self, id: SessionId) -> Result<Option<Arc<KnownSession>>> {
        Ok(self.read(id).await?.map(|row| row.view))
    }

    /// What decides on a refresh token of the session, as it is committed now; kept in memory.
    pub async fn read(&self, id: SessionId) -> Result<Option<SessionRow>> {
        Ok(self.read_all(&[id]).await?.pop().flatten())
    }

    /// As [`read`](Self::read), of several sessions in one statement; in the order of their ids. On SQLite each is a
    /// look-up of a few microseconds.
    pub async fn read_all(&self, ids: &[SessionId]) -> Result<Vec<Option<SessionRow>>> {
        let started = self.store.shared.sessions.cache.start_read();
        let found: Vec<FoundSession> = match &self.store.db {
            Db::Sqlite(db) => {
                let find = |id: &SessionId| Ok((None, db.inline().first(FIND, [id.0.as_bytes()], sqlite_row)?));
                ids.iter().map(find).collect::<Result<_>>()?
            }
            Db::Postgres(pool) => self.store.read_together(pool, ids).await?,
        };
        Ok(found.into_iter().map(|found| self.keep(&started, found)).collect())
    }

    fn keep(self, started: &StartedRead, (read_from, row): FoundSession) -> Option<SessionRow> {
        let row = row?;
        if read_from != started.server() {
            self.store.doubt_server();
            return Some(row);
        }
        Some(self.store.shared.sessions.cache.keep(started, row))
    }
}

fn sqlite_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionRow> {
    let tokens = RefreshTokens {
        generation: row.get(21)?,
        issued_at: time(row, 22)?,
        used: row.get(23)?,
        parent_generation: row.get(24)?,
        parent_issued_at: optional_time(row, 25)?,
        replaced_at: optional_time(row, 26)?,
    };
    let (id, nonce) = (SessionId(uuid(row, 19)?), row.get(20)?);
    Ok(SessionRow::new(id, sqlite_view(row)?, nonce, tokens, row.get(27)?))
}

fn sqlite_view(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionView> {
    Ok(SessionView {
        user_id: UserId(uuid(row, 0)?),
        email: row.get(1)?,
        username: row.get(2)?,
        name: row.get(28)?,
        external_id: row.get(29)?,
        roles: parsed(row, 3, Roles::parse_text)?,
        email_verified: row.get(4)?,
        disabled_at: optional_time(row, 5)?,
        created_at: time(row, 6)?,
        second_factor: row.get(7)?,
        organization_id: OrganizationId(uuid(row, 8)?),
        organization_role: optional(row, 9, MemberRole::parse)?,
        organization_name: row.get(10)?,
        organization_kind: optional(row, 11, OrganizationKind::parse)?,
        methods: AuthMethods::parse_text(row.get_ref(12)?.as_str()?),
        opened_at: time(row, 13)?,
        last_used_at: time(row, 14)?,
        authenticated_at: time(row, 15)?,
        expires_at: time(row, 16)?,
        ended_at: optional_time(row, 17)?,
        received_generation: row.get(18)?,
    })
}

fn uuid(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Uuid> {
    Ok(Uuid::from_bytes(row.get(index)?))
}

fn time(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Time> {
    Ok(Time::from_micros(row.get(index)?))
}

fn optional_time(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Option<Time>> {
    Ok(row.get::<_, Option<i64>>(index)?.map(Time::from_micros))
}

fn optional<T>(
    row: &rusqlite::Row<'_>,
    index: usize,
    parse: impl Fn(&str) -> Option<T>,
) -> rusqlite::Result<Option<T>> {
    let Some(name) = row.get_ref(index)?.as_str_or_null()? else { return Ok(None) };
    parse(name).map(Some).ok_or(rusqlite::Error::InvalidQuery)
}

fn parsed<T>(row: &rusqlite::Row<'_>, index: usize, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    parse(row.get_ref(index)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)
}
