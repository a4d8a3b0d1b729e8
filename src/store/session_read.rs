//! The one read in every authenticated request.

use super::{Db, Result, Store, StoreError};
use crate::clock::Time;
use crate::domain::ids::{SessionId, UserId};
use crate::domain::roles::Roles;
use uuid::Uuid;

/// What the service answers about a session's user, and what decides whether it still may.
#[derive(Clone, Debug)]
pub struct SessionView {
    /// Whose session it is.
    pub user_id: UserId,
    /// E-mail address.
    pub email: String,
    /// User name.
    pub username: String,
    /// Platform roles.
    pub roles: Roles,
    /// Since when the user is disabled.
    pub disabled_at: Option<Time>,
    /// When the account was made.
    pub created_at: Time,
    /// Last use of the session, to within a minute.
    pub last_used_at: Time,
    /// The session's absolute end.
    pub expires_at: Time,
    /// When it was ended.
    pub ended_at: Option<Time>,
}

row!(SessionView { user_id, email, username, roles, disabled_at, created_at, last_used_at, expires_at, ended_at });

const SQL: &str = "SELECT s.user_id, u.email, u.username, u.roles, u.disabled_at, u.created_at, s.last_used_at, \
                   s.expires_at, s.ended_at FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1";

impl SessionView {
    /// Whether the session may still be used: not ended, not over, its user not disabled.
    pub fn is_live(&self, now: Time) -> bool {
        self.ended_at.is_none() && self.disabled_at.is_none() && now < self.expires_at
    }
}

impl Store {
    /// The session and its user, as they are at this moment.
    pub async fn session_view(&self, id: SessionId) -> Result<Option<SessionView>> {
        match &self.db {
            Db::Sqlite(db) => Ok(db.inline().first(SQL, [id.0.as_bytes()], read_sqlite)?),
            Db::Postgres(pool) => sqlx::query_as(SQL).bind(id).fetch_optional(pool).await.map_err(StoreError::from),
        }
    }
}

fn read_sqlite(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionView> {
    let time = |index| Ok::<_, rusqlite::Error>(Time::from_micros(row.get(index)?));
    let optional_time = |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(index)?.map(Time::from_micros));
    Ok(SessionView {
        user_id: UserId(Uuid::from_bytes(row.get(0)?)),
        email: row.get(1)?,
        username: row.get(2)?,
        roles: Roles::parse_text(row.get_ref(3)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)?,
        disabled_at: optional_time(4)?,
        created_at: time(5)?,
        last_used_at: time(6)?,
        expires_at: time(7)?,
        ended_at: optional_time(8)?,
    })
}
