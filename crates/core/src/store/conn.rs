//! A connection of either engine.

use super::error::{Result, StoreError};
use super::postgres::PooledConnection;
use super::shared::Shared;
use super::sql::Sql;
use super::sqlite::{self, WriteTx};
use crate::model::time::Time;
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Sqlite, SqliteConnection};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tracing::Level;

/// A read-only connection to the database. Reads are its methods, one file for each group of tables.
pub struct Conn {
    pub(super) inner: Inner,
    pub(super) shared: Arc<Shared>,
    /// As in PostgreSQL, a transaction has one time: everything it records has the same timestamp.
    now: Time,
    /// Set once the engine may have rolled the transaction back.
    pub(super) poisoned: bool,
}

pub(super) enum Inner {
    SqliteRead(PoolConnection<Sqlite>),
    SqliteWrite(WriteTx),
    PostgresRead(PooledConnection),
    /// A statement that is its own transaction.
    PostgresAutocommit(PooledConnection),
    PostgresTx(PooledConnection),
}

pub(super) enum Engine<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

impl Conn {
    pub(super) fn new(inner: Inner, shared: Arc<Shared>) -> Self {
        let now = shared.clock.now();
        Self { inner, shared, now, poisoned: false }
    }

    /// The time at which this connection or transaction began, by the injected clock.
    pub(super) fn now(&self) -> Time {
        self.now
    }

    /// The present moment as a parameter of `now_sql!`.
    pub(super) fn sql_now(&self) -> i64 {
        if self.is_sqlite() { self.now().as_micros() } else { self.shared.clock.offset_micros() }
    }

    pub(super) fn is_sqlite(&self) -> bool {
        matches!(self.inner, Inner::SqliteRead(_) | Inner::SqliteWrite(_))
    }

    /// Whether the last commits of a SQLite file failed, as on a full disk.
    pub(super) fn is_refusing(&self) -> bool {
        matches!(&self.inner, Inner::SqliteWrite(write_tx) if write_tx.is_refusing())
    }

    /// The driver's connection for this statement, whose result goes to [`Conn::settle`].
    pub(super) fn engine(&mut self, text: Sql) -> Result<Engine<'_>> {
        if self.poisoned {
            return Err(StoreError::Poisoned);
        }
        self.shared.statements.fetch_add(1, Ordering::Relaxed);
        if tracing::enabled!(target: "doorward::sql", Level::TRACE) {
            self.record(text);
        }
        Ok(match &mut self.inner {
            Inner::SqliteRead(connection) => Engine::Sqlite(connection),
            Inner::SqliteWrite(write_tx) => Engine::Sqlite(write_tx.connection()?),
            Inner::PostgresRead(pooled) | Inner::PostgresAutocommit(pooled) | Inner::PostgresTx(pooled) => {
                Engine::Postgres(pooled.connection()?)
            }
        })
    }

    /// No line of the log: tells the tests which texts have run on which engine.
    #[inline(never)]
    fn record(&self, text: Sql) {
        let engine = if self.is_sqlite() { "sqlite" } else { "postgres" };
        tracing::event!(target: "doorward::sql", Level::TRACE, engine, sqlite = text.sqlite, postgres = text.postgres);
    }

    /// Converts an engine's error into the store's, and poisons the transaction if the engine may have rolled it back:
    /// a further statement would otherwise run, and commit, outside of it.
    pub(super) fn settle<T>(&mut self, result: std::result::Result<T, sqlx::Error>) -> Result<T> {
        match &mut self.inner {
            Inner::PostgresRead(pooled) | Inner::PostgresAutocommit(pooled) | Inner::PostgresTx(pooled) => {
                pooled.settle(result)
            }
            Inner::SqliteRead(_) => Ok(result?),
            Inner::SqliteWrite(write_tx) => {
                let ends = result.as_ref().is_err_and(sqlite::ends_transaction);
                if ends {
                    self.poisoned = true;
                    write_tx.abandon_group();
                }
                Ok(result?)
            }
        }
    }
}
