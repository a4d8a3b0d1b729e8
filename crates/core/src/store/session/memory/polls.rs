//! Polls of the change feed of sessions, users and organizations, which the database's own triggers write (migrations 0006 to 0600).
//! Each also reads the version of the list of providers, so that a page with their buttons needs no poll of its own.
//!
//! A reader sees every commit exactly once. On SQLite commits come one after the other, so the cursor is the last id.
//! On PostgreSQL ids are assigned before the commit, and a cursor of ids would skip transactions that commit late:
//! there it is the snapshot of the last poll, and a poll reads what that snapshot did not see.
//!
//! Transaction ids mean something on one server only: a promoted standby that has lost the newest ones gives them out
//! again. So a poll also reads which server it is, and reports no changes where that differs from the cursor's.

use super::cursor::{ChangeCursor, FeedServer, PolledChanges, Position, SessionChange};
use crate::model::ids::{OrganizationId, SessionId, UserId};
use crate::model::time::Time;
use crate::store::Result;
use crate::store::sqlite::Inline;
use sqlx::PgConnection;
use uuid::Uuid;

/// The identity of the server, in SQL that any role may run: its start, its cluster and timeline, the database, and
/// the files of the tables, which change when a restore replaces a table, or TRUNCATE empties it without a trigger.
macro_rules! server_identity {
    () => {
        "concat_ws(' ', pg_postmaster_start_time(), (SELECT system_identifier FROM pg_control_system()), \
         (SELECT timeline_id FROM pg_control_checkpoint()), \
         (SELECT oid FROM pg_database WHERE datname = current_database()), \
         pg_relation_filenode(to_regclass('session_changes')), pg_relation_filenode(to_regclass('sessions')), \
         pg_relation_filenode(to_regclass('users')))"
    };
}
pub(super) use server_identity;

const SQLITE: &str = "SELECT (SELECT COALESCE(MAX(id), 0) FROM session_changes), \
                      CAST(unixepoch('subsec') * 1000000 AS INTEGER), \
                      COALESCE((SELECT providers FROM instance WHERE id = 1), 0), c.session_id, c.user_id, \
                      c.organization_id FROM (SELECT 1) LEFT JOIN session_changes c ON c.id > $1";
const POSTGRES: &str = concat!(
    "SELECT ",
    server_identity!(),
    " AS identity, pg_postmaster_start_time() AS started_at, txid_current_snapshot()::text AS place, \
     clock_timestamp() AS at, COALESCE((SELECT providers FROM instance WHERE id = 1), 0) AS providers, \
     c.session_id, c.user_id, c.organization_id \
     FROM (SELECT 1) one LEFT JOIN session_changes c \
     ON c.xid >= txid_snapshot_xmin($1::text::txid_snapshot) \
     AND NOT txid_visible_in_snapshot(c.xid, $1::text::txid_snapshot)"
);

struct PostgresRow {
    server: FeedServer,
    place: String,
    at: Time,
    providers: i64,
    changed: Changed,
}

/// Of which one is there; none if nothing changed.
struct Changed(Option<SessionId>, Option<UserId>, Option<OrganizationId>);

impl sqlx::FromRow<'_, sqlx::postgres::PgRow> for PostgresRow {
    fn from_row(row: &sqlx::postgres::PgRow) -> std::result::Result<Self, sqlx::Error> {
        use sqlx::Row as _;
        Ok(Self {
            server: FeedServer { identity: row.try_get("identity")?, started_at: row.try_get("started_at")? },
            place: row.try_get("place")?,
            at: row.try_get("at")?,
            providers: row.try_get("providers")?,
            changed: Changed(row.try_get("session_id")?, row.try_get("user_id")?, row.try_get("organization_id")?),
        })
    }
}

/// The changes committed since `cursor`; without one, only the cursor to start from.
pub(super) fn poll_sqlite(inline: &Inline, cursor: Option<&ChangeCursor>) -> Result<PolledChanges> {
    let since = cursor.and_then(|cursor| match cursor.position {
        Position::Id(id) => Some(id),
        Position::Snapshot(_) => None,
    });
    let rows = inline.all(SQLITE, [since], |row| {
        let uuid = |index| Ok::<_, rusqlite::Error>(row.get::<_, Option<[u8; 16]>>(index)?.map(Uuid::from_bytes));
        let changed = Changed(uuid(3)?.map(SessionId), uuid(4)?.map(UserId), uuid(5)?.map(OrganizationId));
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, changed))
    })?;
    let (id, at, providers) = rows.first().map_or((0, 0, 0), |row| (row.0, row.1, row.2));
    let changes = rows.iter().filter_map(|row| row.3.change());
    let next = ChangeCursor { server: FeedServer::default(), position: Position::Id(id), at: Time::from_micros(at) };
    Ok(PolledChanges::between(cursor, next, changes.collect(), providers))
}

pub(super) async fn poll_postgres(
    connection: &mut PgConnection,
    cursor: Option<&ChangeCursor>,
) -> sqlx::Result<PolledChanges> {
    let since = cursor.and_then(|cursor| match &cursor.position {
        Position::Snapshot(text) => Some(text.as_str()),
        Position::Id(_) => None,
    });
    let rows: Vec<PostgresRow> = sqlx::query_as(POSTGRES).bind(since).fetch_all(connection).await?;
    let changes = rows.iter().filter_map(|row| row.changed.change()).collect();
    let first = rows.into_iter().next().ok_or(sqlx::Error::RowNotFound)?;
    let next = ChangeCursor { server: first.server, position: Position::Snapshot(first.place), at: first.at };
    Ok(PolledChanges::between(cursor, next, changes, first.providers))
}

impl Changed {
    fn change(&self) -> Option<SessionChange> {
        let session = self.0.map(SessionChange::Session);
        session.or(self.1.map(SessionChange::User)).or(self.2.map(SessionChange::Organization))
    }
}
