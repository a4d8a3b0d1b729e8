//! Reading a session as it is committed now.

use super::door::SessionStore;
use super::row::{FIND, RefreshTokens, SessionRow};
use crate::model::auth_method::AuthMethods;
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::roles::Roles;
use crate::model::session_view::SessionView;
use crate::model::time::Time;
use crate::store::Result;
use crate::store::handle::Db;
use crate::store::postgres::answered;
use uuid::Uuid;

// Every column stands in `columns.rs`, except `last_used_at` and those of the refresh tokens, which decide only what is
// written.
macro_rules! view {
    ($more:literal) => {
        concat!(
            "SELECT s.user_id, u.email, u.username, u.roles, u.email_verified_at IS NOT NULL AS email_verified, \
             u.disabled_at, u.created_at, EXISTS (SELECT 1 FROM totp t WHERE t.user_id = s.user_id \
             AND t.confirmed_at IS NOT NULL) OR EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = s.user_id) \
             AS second_factor, s.organization_id, m.role AS organization_role, s.methods, s.last_used_at, \
             COALESCE(s.authenticated_at, s.created_at) AS authenticated_at, s.expires_at, s.ended_at, \
             CASE WHEN s.used OR s.parent_generation IS NULL THEN s.generation ELSE s.generation - 1 END \
             AS received_generation",
            $more,
            " FROM sessions s JOIN users u ON u.id = s.user_id LEFT JOIN memberships m \
             ON m.organization_id = s.organization_id AND m.user_id = s.user_id WHERE s.id = $1"
        )
    };
}

const VIEW: &str = view!("");
const VIEW_OF_SERVER: &str = view!(", pg_postmaster_start_time() AS started_at");

row!(SessionView {
    user_id,
    email,
    username,
    roles,
    email_verified,
    disabled_at,
    created_at,
    second_factor,
    organization_id,
    organization_role,
    methods,
    last_used_at,
    authenticated_at,
    expires_at,
    ended_at,
    received_generation,
});

struct ViewOfServer {
    view: SessionView,
    started_at: Time,
}

impl sqlx::FromRow<'_, sqlx::postgres::PgRow> for ViewOfServer {
    fn from_row(row: &sqlx::postgres::PgRow) -> std::result::Result<Self, sqlx::Error> {
        use sqlx::Row as _;
        Ok(Self { view: SessionView::from_row(row)?, started_at: row.try_get("started_at")? })
    }
}

impl SessionStore<'_> {
    /// The session and its user, as they are committed now.
    pub async fn get(&self, id: SessionId) -> Result<Option<SessionView>> {
        Ok(self.get_with_server(id).await?.1)
    }

    /// As [`Self::get`], with the start of the server that it was read from, on PostgreSQL: the connections of
    /// a process may lead to two servers for a while, and the change feed is that of one.
    pub(super) async fn get_with_server(&self, id: SessionId) -> Result<(Option<Time>, Option<SessionView>)> {
        match &self.store.db {
            Db::Sqlite(db) => Ok((None, db.inline().first(VIEW, [id.0.as_bytes()], sqlite_view)?)),
            Db::Postgres(pool) => {
                let mut pooled = pool.acquire().await?;
                let row = answered(sqlx::query_as(VIEW_OF_SERVER).bind(id).fetch_optional(pooled.connection()?)).await;
                let row: Option<ViewOfServer> = pooled.settle(row)?;
                Ok(row.map_or((None, None), |row| (Some(row.started_at), Some(row.view))))
            }
        }
    }

    /// What a refresh reads of the session, as it is committed now.
    pub async fn for_refresh(&self, id: SessionId) -> Result<Option<SessionRow>> {
        match &self.store.db {
            Db::Sqlite(db) => Ok(db.inline().first(FIND, [id.0.as_bytes()], sqlite_row)?),
            Db::Postgres(pool) => {
                let mut pooled = pool.acquire().await?;
                let row = answered(sqlx::query_as(FIND).bind(id).fetch_optional(pooled.connection()?)).await;
                pooled.settle(row)
            }
        }
    }
}

fn sqlite_view(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionView> {
    Ok(SessionView {
        user_id: UserId(uuid(row, 0)?),
        email: row.get(1)?,
        username: row.get(2)?,
        roles: parsed(row, 3, Roles::parse_text)?,
        email_verified: row.get(4)?,
        disabled_at: optional_time(row, 5)?,
        created_at: time(row, 6)?,
        second_factor: row.get(7)?,
        organization_id: OrganizationId(uuid(row, 8)?),
        organization_role: optional_role(row, 9)?,
        methods: AuthMethods::parse_text(row.get_ref(10)?.as_str()?),
        last_used_at: time(row, 11)?,
        authenticated_at: time(row, 12)?,
        expires_at: time(row, 13)?,
        ended_at: optional_time(row, 14)?,
        received_generation: row.get(15)?,
    })
}

fn sqlite_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionRow> {
    Ok(SessionRow {
        id: SessionId(uuid(row, 0)?),
        user_id: UserId(uuid(row, 1)?),
        organization_id: OrganizationId(uuid(row, 2)?),
        organization_role: parsed(row, 3, MemberRole::parse)?,
        roles: parsed(row, 4, Roles::parse_text)?,
        disabled_at: optional_time(row, 5)?,
        nonce: row.get(6)?,
        tokens: sqlite_tokens(row, 7)?,
        version: row.get(13)?,
        last_used_at: time(row, 14)?,
        expires_at: time(row, 15)?,
        ended_at: optional_time(row, 16)?,
    })
}

/// From six columns, of which `first` is the first.
pub(super) fn sqlite_tokens(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<RefreshTokens> {
    Ok(RefreshTokens {
        generation: row.get(first)?,
        issued_at: time(row, first + 1)?,
        used: row.get(first + 2)?,
        parent_generation: row.get(first + 3)?,
        parent_issued_at: optional_time(row, first + 4)?,
        replaced_at: optional_time(row, first + 5)?,
    })
}

pub(super) fn uuid(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Uuid> {
    Ok(Uuid::from_bytes(row.get(index)?))
}

fn time(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Time> {
    Ok(Time::from_micros(row.get(index)?))
}

fn optional_time(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Option<Time>> {
    Ok(row.get::<_, Option<i64>>(index)?.map(Time::from_micros))
}

fn optional_role(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Option<MemberRole>> {
    let Some(role) = row.get_ref(index)?.as_str_or_null()? else { return Ok(None) };
    MemberRole::parse(role).map(Some).ok_or(rusqlite::Error::InvalidQuery)
}

fn parsed<T>(row: &rusqlite::Row<'_>, index: usize, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    parse(row.get_ref(index)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)
}
