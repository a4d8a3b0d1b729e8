//! What every authenticated request needs to know of its session.

use super::sessions::FIND;
use super::{Db, Result, SessionRow, Store};
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::organization::MemberRole;
use crate::model::roles::Roles;
use crate::model::time::Time;
use std::ops::Deref;
use std::sync::atomic::{AtomicI64, Ordering};
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

// Triggers note when one of these columns changes (migration 0006), `last_used_at` apart; one more here needs one more
// there.
const SQL: &str = "SELECT s.user_id, u.email, u.username, u.roles, u.disabled_at, u.created_at, s.last_used_at, \
                   COALESCE(s.authenticated_at, s.created_at) AS authenticated_at, s.expires_at, s.ended_at \
                   FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.id = $1";

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

/// A session in memory, shared by the requests that ask for it.
#[derive(Debug)]
pub struct KnownSession {
    view: SessionView,
    /// The last use that was noted, in microseconds: later than the one written.
    last_noted: AtomicI64,
}

impl KnownSession {
    /// The last use that was written, or noted so that it will be.
    pub fn last_used(&self) -> Time {
        Time::from_micros(self.last_noted.load(Ordering::Relaxed))
    }

    /// Says that a use at `now` was noted.
    pub fn set_last_used(&self, now: Time) {
        self.last_noted.fetch_max(now.as_micros(), Ordering::Relaxed);
    }
}

impl From<SessionView> for KnownSession {
    fn from(view: SessionView) -> Self {
        Self { last_noted: AtomicI64::new(view.last_used_at.as_micros()), view }
    }
}

impl Deref for KnownSession {
    type Target = SessionView;

    fn deref(&self) -> &SessionView {
        &self.view
    }
}

impl Store {
    /// The session and its user, as they are at this moment.
    pub async fn session_view(&self, id: SessionId) -> Result<Option<SessionView>> {
        match &self.db {
            Db::Sqlite(db) => Ok(db.inline().first(SQL, [id.0.as_bytes()], read_sqlite)?),
            Db::Postgres(pool) => {
                let mut lease = self.shared.kept.lease(pool).await?;
                let view = sqlx::query_as(SQL).bind(id).fetch_optional(lease.ask()?).await?;
                lease.answered();
                Ok(view)
            }
        }
    }

    /// What a refresh needs to know of the session, as it is committed at this moment.
    pub async fn session_row(&self, id: SessionId) -> Result<Option<SessionRow>> {
        match &self.db {
            Db::Sqlite(db) => Ok(db.inline().first(FIND, [id.0.as_bytes()], read_sqlite_row)?),
            Db::Postgres(pool) => {
                let mut lease = self.shared.kept.lease(pool).await?;
                let row = sqlx::query_as(FIND).bind(id).fetch_optional(lease.ask()?).await?;
                lease.answered();
                Ok(row)
            }
        }
    }
}

fn read_sqlite(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionView> {
    Ok(SessionView {
        user_id: UserId(uuid(row, 0)?),
        email: row.get(1)?,
        username: row.get(2)?,
        roles: parsed(row, 3, Roles::parse_text)?,
        disabled_at: optional_time(row, 4)?,
        created_at: time(row, 5)?,
        last_used_at: time(row, 6)?,
        authenticated_at: time(row, 7)?,
        expires_at: time(row, 8)?,
        ended_at: optional_time(row, 9)?,
    })
}

fn read_sqlite_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<SessionRow> {
    Ok(SessionRow {
        id: SessionId(uuid(row, 0)?),
        user_id: UserId(uuid(row, 1)?),
        organization_id: OrganizationId(uuid(row, 2)?),
        organization_role: parsed(row, 3, MemberRole::parse)?,
        roles: parsed(row, 4, Roles::parse_text)?,
        disabled_at: optional_time(row, 5)?,
        nonce: row.get(6)?,
        generation: row.get(7)?,
        issued_at: time(row, 8)?,
        used: row.get(9)?,
        parent_generation: row.get(10)?,
        parent_issued_at: optional_time(row, 11)?,
        replaced_at: optional_time(row, 12)?,
        version: row.get(13)?,
        last_used_at: time(row, 14)?,
        expires_at: time(row, 15)?,
        ended_at: optional_time(row, 16)?,
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

fn parsed<T>(row: &rusqlite::Row<'_>, index: usize, parse: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    parse(row.get_ref(index)?.as_str()?).ok_or(rusqlite::Error::InvalidQuery)
}
