//! The two engines, and how a connection or a transaction begins on each.

use super::conn::Inner;
use super::error::Result;
use super::outbox::channel::Queue;
use super::postgres::PostgresPool;
use super::sqlite::SqliteDatabase;

/// Begins a claim of events. There is one at a time: one that does not see what another takes would take the next of the
/// same subject. PostgreSQL sees the commits before a statement, so the lock is a statement of its own; both are one
/// message.
const BEGIN_CLAIM: &str = "BEGIN; SELECT pg_advisory_xact_lock(x'6f7574626f780000'::bit(64)::bigint)";

#[derive(Clone)]
pub(super) enum Db {
    Sqlite(SqliteDatabase),
    Postgres(PostgresPool),
}

impl Db {
    pub(super) async fn read(&self) -> Result<Inner> {
        Ok(match self {
            Db::Sqlite(db) => Inner::SqliteRead(db.reader().await?),
            Db::Postgres(pool) => Inner::PostgresRead(pool.acquire().await?),
        })
    }

    /// Begins a transaction of several statements.
    pub(super) async fn begin(&self) -> Result<Inner> {
        Ok(match self {
            Db::Sqlite(db) => Inner::SqliteWrite(db.begin().await?),
            Db::Postgres(pool) => Inner::PostgresTx(pool.begin().await?),
        })
    }

    /// As [`begin`](Self::begin), of at most one changing statement.
    pub(super) async fn begin_autocommit(&self) -> Result<Inner> {
        Ok(match self {
            Db::Sqlite(db) => Inner::SqliteWrite(db.begin_autocommit().await?),
            Db::Postgres(pool) => Inner::PostgresAutocommit(pool.acquire().await?),
        })
    }

    pub(super) async fn begin_lease(&self) -> Result<Inner> {
        match self {
            Db::Sqlite(db) => Ok(Inner::SqliteWrite(db.begin_lease().await?)),
            // The server may fail while the holders of the leases live, and must then not grant the same ones again.
            Db::Postgres(_) => self.begin_autocommit().await,
        }
    }

    pub(super) async fn begin_claim(&self, queue: Queue) -> Result<Inner> {
        match self {
            Db::Postgres(pool) if queue.has_order() => Ok(Inner::PostgresTx(pool.begin_with(BEGIN_CLAIM).await?)),
            _ => self.begin_lease().await,
        }
    }

    /// Closes every connection, those in use after their use: they may lead to a server that was replaced.
    pub(super) fn renew_connections(&self) {
        if let Db::Postgres(pool) = self {
            pool.renew();
        }
    }
}
