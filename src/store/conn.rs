//! A connection of either engine, and the transaction on top of it.

use super::kept::Lease;
use super::outbox::Unwritten;
use super::sqlite::{self, Turn};
use super::{Channel, Result, Shared, StoreError};
use crate::model::time::Time;
use sqlx::pool::PoolConnection;
use sqlx::{PgConnection, Sqlite, SqliteConnection};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A connection that can look at the database. Reads are its methods, one file for each group of tables.
pub struct Conn {
    inner: Inner,
    shared: Arc<Shared>,
    /// As in PostgreSQL, a transaction has one time: what it records together happened together.
    now: Time,
    poisoned: bool,
}

pub(super) enum Inner {
    SqliteRead(PoolConnection<Sqlite>),
    SqliteTurn(Turn),
    PostgresRead(Lease),
    /// A statement that is its own transaction.
    PostgresSingle(Lease),
    PostgresTx(Lease),
}

/// The connection itself, for `on!`.
pub(super) enum Engine<'a> {
    Sqlite(&'a mut SqliteConnection),
    Postgres(&'a mut PgConnection),
}

impl Conn {
    pub(super) fn new(inner: Inner, shared: Arc<Shared>) -> Self {
        let now = shared.clock.now();
        Self { inner, shared, now, poisoned: false }
    }

    /// The moment at which this began, by the injected clock.
    pub(super) fn now(&self) -> Time {
        self.now
    }

    /// The first parameter of a text made by `now_sql!`.
    pub(super) fn now_parameter(&self) -> i64 {
        if self.is_sqlite() { self.now().as_micros() } else { self.shared.clock.offset_micros() }
    }

    pub(super) fn is_sqlite(&self) -> bool {
        matches!(self.inner, Inner::SqliteRead(_) | Inner::SqliteTurn(_))
    }

    pub(super) fn engine(&mut self) -> Result<Engine<'_>> {
        if self.poisoned {
            return Err(StoreError::Poisoned);
        }
        self.shared.statements.fetch_add(1, Ordering::Relaxed);
        Ok(match &mut self.inner {
            Inner::SqliteRead(conn) => Engine::Sqlite(conn),
            Inner::SqliteTurn(turn) => Engine::Sqlite(turn.connection()?),
            Inner::PostgresRead(lease) | Inner::PostgresSingle(lease) | Inner::PostgresTx(lease) => {
                Engine::Postgres(lease.ask()?)
            }
        })
    }

    /// Turns an engine's error into the store's, and stops the transaction if the engine may have rolled it back:
    /// a further statement would otherwise run, and commit, outside of it.
    pub(super) fn settle<T>(&mut self, result: std::result::Result<T, sqlx::Error>) -> Result<T> {
        if let (Ok(_), Inner::PostgresRead(lease) | Inner::PostgresSingle(lease)) = (&result, &mut self.inner) {
            lease.answered();
        }
        result.map_err(|error| {
            if let Inner::SqliteTurn(turn) = &mut self.inner
                && sqlite::ends_transaction(&error)
            {
                self.poisoned = true;
                turn.give_up_group();
            }
            error.into()
        })
    }

    /// Whether the database answers.
    pub(super) async fn ping(&mut self) -> Result<()> {
        on!(self, |c| sqlx::query_scalar::<_, i64>("SELECT CAST(1 AS BIGINT)").fetch_one(c))?;
        Ok(())
    }
}

/// A transaction: what it wrote is there for all, durably, once [`Tx::commit`] has returned, and not at all before.
///
/// Dropped without a commit, it is rolled back.
pub struct Tx {
    conn: Conn,
    /// How many events it recorded.
    events: u32,
    /// Those that go into the outbox at the commit.
    pub(super) unwritten: Vec<Unwritten>,
    rings: Vec<Channel>,
    /// Set where it alters a session or a user.
    alteration: Option<Alteration>,
}

/// Dropped once the transaction is over, however it ended: from then on no session is taken from memory before what the
/// database noted was read.
struct Alteration(Arc<Shared>);

impl Drop for Alteration {
    fn drop(&mut self) {
        self.0.sessions.freshness.demand();
    }
}

impl Tx {
    pub(super) fn new(conn: Conn) -> Self {
        Self { conn, events: 0, unwritten: Vec::new(), rings: Vec::new(), alteration: None }
    }

    /// The kinds of event that are stored.
    pub(super) fn stores(&self, kind: crate::model::event::EventKind) -> bool {
        self.conn.shared.events.contains(kind)
    }

    /// Has the workers of a channel woken after the commit.
    pub(super) fn ring_outbox_on_commit(&mut self, channel: Channel) {
        if !self.rings.contains(&channel) {
            self.rings.push(channel);
        }
    }

    /// To be called by whatever changes what [`Store::session_view`](super::Store::session_view) reads, so that this
    /// process sees it from the very next request on.
    pub(super) fn alters_sessions(&mut self) {
        let shared = &self.conn.shared;
        self.alteration.get_or_insert_with(|| Alteration(shared.clone()));
    }

    /// The place of the next event among those of this transaction.
    pub(super) fn next_event(&mut self) -> u32 {
        self.events += 1;
        self.events
    }

    /// Commits, and returns when the commit is durable.
    pub async fn commit(mut self) -> Result<()> {
        self.outbox_write().await?;
        let Conn { inner, shared, poisoned, .. } = self.conn;
        if poisoned {
            return Err(StoreError::Poisoned);
        }
        match inner {
            Inner::SqliteTurn(turn) => turn.commit().await?,
            Inner::PostgresTx(lease) => lease.commit().await?,
            Inner::PostgresSingle(_) | Inner::PostgresRead(_) | Inner::SqliteRead(_) => {}
        }
        for channel in self.rings {
            shared.outbox_bells.of(channel).notify_one();
        }
        Ok(())
    }

    /// Gives up what the transaction wrote, and returns when the connection is free again.
    pub async fn rollback(self) -> Result<()> {
        if let Inner::PostgresTx(lease) = self.conn.inner {
            lease.rollback().await?;
        }
        Ok(())
    }
}

impl Deref for Tx {
    type Target = Conn;

    fn deref(&self) -> &Conn {
        &self.conn
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Conn {
        &mut self.conn
    }
}
