//! The change feed of sessions and users, which the database's own triggers write (migration 0006).
//!
//! A reader sees every commit exactly once. On SQLite commits come one after the other, so the cursor is the last id.
//! On PostgreSQL ids are assigned before the commit, and a cursor of ids would skip transactions that commit late:
//! there it is the snapshot of the last poll, and a poll reads what that snapshot did not see.

use super::change_cursor::{ChangeCursor, PolledChanges, Position, SessionChange};
use super::handle::{Db, Store};
use super::sql::NowSql;
use super::sqlite::Inline;
use super::{Result, Tx};
use crate::model::ids::{SessionId, UserId};
use crate::model::time::Time;
use uuid::Uuid;

const SQLITE: &str = "SELECT (SELECT COALESCE(MAX(id), 0) FROM session_changes), \
                      CAST(unixepoch('subsec') * 1000000 AS INTEGER), c.session_id, c.user_id \
                      FROM (SELECT 1) LEFT JOIN session_changes c ON c.id > $1";
const POSTGRES: &str = "SELECT txid_current_snapshot()::text AS place, \
                        clock_timestamp() AS at, c.session_id, c.user_id \
                        FROM (SELECT 1) one LEFT JOIN session_changes c \
                        ON c.xid >= txid_snapshot_xmin($1::text::txid_snapshot) \
                        AND NOT txid_visible_in_snapshot(c.xid, $1::text::txid_snapshot)";

/// `$1`: the position that every process has read past.
const DELETE: NowSql = NowSql {
    sqlite: "DELETE FROM session_changes WHERE id IN (SELECT id FROM session_changes WHERE id <= $1 LIMIT $2)",
    postgres: "DELETE FROM session_changes WHERE id IN \
               (SELECT id FROM session_changes WHERE xid < txid_snapshot_xmin($1::text::txid_snapshot) LIMIT $2)",
};

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
    /// The changes committed since `cursor`; without one, only the cursor to start from.
    pub(super) async fn session_changes_since(&self, cursor: Option<&ChangeCursor>) -> Result<PolledChanges> {
        let (next, changes) = match &self.db {
            Db::Sqlite(db) => poll_sqlite(db.inline(), cursor)?,
            Db::Postgres(pool) => poll_postgres(pool, cursor).await?,
        };
        let complete = cursor.is_some_and(|cursor| next.follows(cursor));
        Ok(PolledChanges { cursor: next, changes: complete.then_some(changes) })
    }

    /// The current end of the change feed: what lies before it can be removed
    /// [`CHANGE_RETENTION`](super::CHANGE_RETENTION) later.
    pub async fn session_changes_cursor(&self) -> Result<ChangeCursor> {
        Ok(self.session_changes_since(None).await?.cursor)
    }
}

impl Tx {
    /// Removes at most `limit` changes from before `cursor`; returns how many.
    pub async fn session_changes_delete(&mut self, cursor: &ChangeCursor, limit: i64) -> Result<u64> {
        match &cursor.position {
            Position::Id(id) => execute!(self, |c| sqlx::query(DELETE.sqlite).bind(*id).bind(limit)),
            Position::Snapshot(text) => execute!(self, |c| sqlx::query(DELETE.postgres).bind(text).bind(limit)),
        }
    }
}

type Poll = (ChangeCursor, Vec<SessionChange>);

fn poll_sqlite(inline: &Inline, cursor: Option<&ChangeCursor>) -> Result<Poll> {
    let since = cursor.and_then(|cursor| match cursor.position {
        Position::Id(id) => Some(id),
        Position::Snapshot(_) => None,
    });
    let rows = inline.all(SQLITE, [since], |row| {
        let uuid = |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<[u8; 16]>>(index)?.map(Uuid::from_bytes));
        Ok((row.get(0)?, row.get(1)?, uuid(2)?, uuid(3)?))
    })?;
    let (id, at) = rows.first().map_or((0, 0), |row| (row.0, row.1));
    let changes = rows.iter().flat_map(|row| changes(row.2.map(SessionId), row.3.map(UserId)));
    Ok((ChangeCursor { position: Position::Id(id), at: Time::from_micros(at) }, changes.collect()))
}

async fn poll_postgres(pool: &sqlx::PgPool, cursor: Option<&ChangeCursor>) -> Result<Poll> {
    let since = cursor.and_then(|cursor| match &cursor.position {
        Position::Snapshot(text) => Some(text.as_str()),
        Position::Id(_) => None,
    });
    let rows: Vec<PostgresRow> = sqlx::query_as(POSTGRES).bind(since).fetch_all(pool).await?;
    let first = rows.first().map(|row| (row.place.clone(), row.at));
    let (text, at) = first.ok_or(sqlx::Error::RowNotFound)?;
    let changes = rows.iter().flat_map(|row| changes(row.session_id, row.user_id));
    Ok((ChangeCursor { position: Position::Snapshot(text), at }, changes.collect()))
}

fn changes(session: Option<SessionId>, user: Option<UserId>) -> impl Iterator<Item = SessionChange> {
    session.map(SessionChange::Session).into_iter().chain(user.map(SessionChange::User))
}

#[cfg(test)]
#[path = "session_changes_tests.rs"]
mod tests;
