//! The one read in every authenticated request.

use super::{Db, Result, Store, StoreError};
use crate::clock::Time;
use crate::domain::ids::{SessionId, UserId};
use crate::domain::roles::Roles;
use std::time::Duration;
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
    /// When the user last proved who they are, at log-in or when asked again.
    pub authenticated_at: Time,
    /// The session's absolute end.
    pub expires_at: Time,
    /// When it was ended.
    pub ended_at: Option<Time>,
}

row!(SessionView {
    user_id,
    email,
    username,
    roles,
    disabled_at,
    created_at,
    last_used_at,
    authenticated_at,
    expires_at,
    ended_at,
});

/// Before what protects an account is changed, its user must have proved who they are within this time (OWASP ASVS 5.0,
/// 7.5.1; NIST SP 800-63B-4 leaves the time to the service).
const RECENT: Duration = Duration::from_mins(15);

const SQL: &str = "SELECT s.user_id, u.email, u.username, u.roles, u.disabled_at, u.created_at, s.last_used_at, \
                   COALESCE(s.authenticated_at, s.created_at) AS authenticated_at, s.expires_at, s.ended_at FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1";

impl SessionView {
    /// Whether the session may still be used: not ended, not over, its user not disabled.
    pub fn is_live(&self, now: Time) -> bool {
        self.ended_at.is_none() && self.disabled_at.is_none() && now < self.expires_at
    }

    /// Whether the user proved who they are so lately that what protects the account may be changed.
    pub fn is_recently_authenticated(&self, now: Time) -> bool {
        now < self.authenticated_at + RECENT
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
        authenticated_at: time(7)?,
        expires_at: time(8)?,
        ended_at: optional_time(9)?,
    })
}
