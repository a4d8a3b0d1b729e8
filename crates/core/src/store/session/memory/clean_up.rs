//! The end of the change feed, and the removal of what every process has read.

use super::cursor::{ChangeCursor, Position};
use super::polls::{poll_postgres, poll_sqlite, server_identity};
use crate::store::db::Db;
use crate::store::postgres::answered;
use crate::store::sql::Sql;
use crate::store::{Result, Store, Tx};

const DELETE_SQLITE: Sql = dialect_sql!(sqlite(
    "DELETE FROM session_changes WHERE id IN (SELECT id FROM session_changes WHERE id <= $1 LIMIT $2)"
));
/// The server must be the one that gave the position: on another, it could remove changes that processes have not read.
const DELETE_POSTGRES: Sql = Sql {
    sqlite: "",
    postgres: concat!(
        "DELETE FROM session_changes WHERE id IN \
         (SELECT id FROM session_changes WHERE xid < txid_snapshot_xmin($1::text::txid_snapshot) LIMIT $2) AND $3 = ",
        server_identity!()
    ),
};

impl Store {
    /// The current end of the change feed: what lies before it can be removed
    /// [`CHANGE_RETENTION`](crate::store::CHANGE_RETENTION) later.
    pub async fn session_changes_cursor(&self) -> Result<ChangeCursor> {
        let polled = match &self.db {
            Db::Sqlite(db) => poll_sqlite(db.inline(), None)?,
            Db::Postgres(pool) => {
                let mut pooled = pool.acquire().await?;
                let outcome = answered(poll_postgres(pooled.connection()?, None)).await;
                pooled.settle(outcome)?
            }
        };
        Ok(polled.cursor)
    }
}

impl Tx {
    /// Removes at most `limit` changes from before `cursor`; returns how many.
    pub async fn session_changes_delete(&mut self, cursor: &ChangeCursor, limit: i64) -> Result<u64> {
        match &cursor.position {
            Position::Id(id) => execute!(self, DELETE_SQLITE, *id, limit),
            Position::Snapshot(text) => execute!(self, DELETE_POSTGRES, text, limit, &cursor.server.identity),
        }
    }
}
