//! What the database's own triggers noted about sessions and users, read on from where a process was.
//!
//! Every commit is read exactly once. On SQLite commits come one after the other, so the place is the last id. On
//! PostgreSQL ids are drawn before the commit, and a place made of them would pass over what commits late: there it is
//! the snapshot of the last look, and what is read is what that snapshot did not see.

use super::macros::NowSql;
use super::{Db, Result, Store, Tx};
use crate::model::ids::{SessionId, UserId};
use crate::model::time::Time;
use std::time::Duration;
use uuid::Uuid;

/// Rows stay for [`CHANGES_KEPT`] at least. A look further apart from the last one than this, by the database's clock,
/// may have missed some.
const GAP: Duration = Duration::from_mins(2);
/// How long at least a change must be kept after its commit.
pub const CHANGES_KEPT: Duration = Duration::from_mins(10);

const SQLITE: &str = "SELECT (SELECT COALESCE(MAX(id), 0) FROM session_changes), \
                      CAST(unixepoch('subsec') * 1000000 AS INTEGER), c.session_id, c.user_id \
                      FROM (SELECT 1) LEFT JOIN session_changes c ON c.id > $1";
const POSTGRES: &str = "SELECT txid_current_snapshot()::text AS place, \
                        clock_timestamp() AS at, c.session_id, c.user_id \
                        FROM (SELECT 1) one LEFT JOIN session_changes c \
                        ON c.xid >= txid_snapshot_xmin($1::text::txid_snapshot) \
                        AND NOT txid_visible_in_snapshot(c.xid, $1::text::txid_snapshot)";

/// `$1`: the place up to which everybody has read.
const DELETE: NowSql = NowSql {
    sqlite: "DELETE FROM session_changes WHERE id IN (SELECT id FROM session_changes WHERE id <= $1 LIMIT $2)",
    postgres: "DELETE FROM session_changes WHERE id IN \
               (SELECT id FROM session_changes WHERE xid < txid_snapshot_xmin($1::text::txid_snapshot) LIMIT $2)",
};

/// Up to where a process has read.
#[derive(Clone, Debug)]
pub struct Place {
    until: Until,
    at: Time,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Until {
    Id(i64),
    Snapshot(String),
}

/// What is not as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Session(SessionId),
    User(UserId),
}

/// What a look found.
pub(super) struct Look {
    pub(super) place: Place,
    /// `None`: anything may have changed.
    pub(super) changes: Option<Vec<Change>>,
}

struct PostgresRow {
    place: String,
    at: Time,
    session_id: Option<SessionId>,
    user_id: Option<UserId>,
}

impl sqlx::FromRow<'_, sqlx::postgres::PgRow> for PostgresRow {
    fn from_row(row: &sqlx::postgres::PgRow) -> std::result::Result<Self, sqlx::Error> {
        use sqlx::Row as _;
        Ok(Self {
            place: row.try_get("place")?,
            at: row.try_get("at")?,
            session_id: row.try_get("session_id")?,
            user_id: row.try_get("user_id")?,
        })
    }
}

impl Store {
    /// What was committed since `place`, or without one nothing but the place to go on from.
    pub(super) async fn session_changes_since(&self, place: Option<&Place>) -> Result<Look> {
        let (until, at, changes) = match &self.db {
            Db::Sqlite(db) => read_sqlite(db.inline(), place)?,
            Db::Postgres(pool) => read_postgres(pool, place).await?,
        };
        let now = Place { until, at };
        let complete = place.is_some_and(|place| now.follows(place));
        Ok(Look { place: now, changes: complete.then_some(changes) })
    }

    /// The place of this moment: what lies before it can be removed [`CHANGES_KEPT`] later.
    pub async fn session_changes_place(&self) -> Result<Place> {
        Ok(self.session_changes_since(None).await?.place)
    }
}

impl Tx {
    /// Removes at most `limit` changes from before `place`; returns how many.
    pub async fn session_changes_delete(&mut self, place: &Place, limit: i64) -> Result<u64> {
        match &place.until {
            Until::Id(id) => changed!(self, |c| sqlx::query(DELETE.sqlite).bind(*id).bind(limit)),
            Until::Snapshot(text) => changed!(self, |c| sqlx::query(DELETE.postgres).bind(text).bind(limit)),
        }
    }
}

type Read = (Until, Time, Vec<Change>);

fn read_sqlite(inline: &super::sqlite::Inline, place: Option<&Place>) -> Result<Read> {
    let since = place.and_then(|place| match place.until {
        Until::Id(id) => Some(id),
        Until::Snapshot(_) => None,
    });
    let rows = inline.all(SQLITE, [since], |row| {
        let uuid = |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<[u8; 16]>>(index)?.map(Uuid::from_bytes));
        Ok((row.get(0)?, row.get(1)?, uuid(2)?, uuid(3)?))
    })?;
    let (id, at) = rows.first().map_or((0, 0), |row| (row.0, row.1));
    let changes = rows.iter().flat_map(|row| changes(row.2.map(SessionId), row.3.map(UserId)));
    Ok((Until::Id(id), Time::from_micros(at), changes.collect()))
}

async fn read_postgres(pool: &sqlx::PgPool, place: Option<&Place>) -> Result<Read> {
    let since = place.and_then(|place| match &place.until {
        Until::Snapshot(text) => Some(text.as_str()),
        Until::Id(_) => None,
    });
    let rows: Vec<PostgresRow> = sqlx::query_as(POSTGRES).bind(since).fetch_all(pool).await?;
    let first = rows.first().map(|row| (row.place.clone(), row.at));
    let (text, at) = first.ok_or(sqlx::Error::RowNotFound)?;
    let changes = rows.iter().flat_map(|row| changes(row.session_id, row.user_id));
    Ok((Until::Snapshot(text), at, changes.collect()))
}

fn changes(session: Option<SessionId>, user: Option<UserId>) -> impl Iterator<Item = Change> {
    session.map(Change::Session).into_iter().chain(user.map(Change::User))
}

impl Place {
    /// Whether nothing can have been missed between `before` and this place: not after a long pause, whose changes may
    /// have been removed, nor where the database's clock or its transactions went back, as after a restore.
    fn follows(&self, before: &Place) -> bool {
        let in_time = before.at <= self.at && self.at.since(before.at) < GAP;
        in_time && self.until.oldest_open() >= before.until.oldest_open()
    }
}

impl Until {
    /// The oldest transaction that was open, the first part of a snapshot's text `xmin:xmax:open`.
    fn oldest_open(&self) -> i64 {
        match self {
            Until::Id(_) => 0,
            Until::Snapshot(text) => text.split(':').next().and_then(|xmin| xmin.parse().ok()).unwrap_or(i64::MIN),
        }
    }
}

#[cfg(test)]
#[path = "session_changes_tests.rs"]
mod tests;
