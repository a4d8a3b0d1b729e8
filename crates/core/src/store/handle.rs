//! The handle of a process to its database: opening, connections, transactions, closing.

use super::conn::{Conn, Inner};
use super::database_clock::DatabaseClock;
use super::db::Db;
use super::error::{Result, StoreError};
use super::outbox::channel::{Channel, Queue, Wakeups};
use super::postgres;
use super::provider::memory::ProviderMemory;
use super::schema_steps;
use super::session::memory::staleness::StalenessBounds;
use super::session::state::SessionState;
use super::shared::Shared;
use super::sqlite::SqliteDatabase;
use super::status::{AuditCounts, LastWrite};
use super::tx::Tx;
use crate::clock::Clock;
use crate::model::event::EventKinds;
use crate::model::ids::UserId;
use crate::model::principal::{AccountTarget, Operation, Principal, Reach};
use crate::model::roles::Roles;
use crate::settings::{DatabaseSettings, DatabaseUrl};
use parking_lot::RwLock;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Notify;

/// The database of one process. Clones share everything.
#[derive(Clone)]
pub struct Store {
    pub(super) db: Db,
    pub(super) shared: Arc<Shared>,
}

impl Store {
    /// Connects, creates the SQLite file if it is missing, and brings the schema up to date, or refuses an old one, as
    /// the settings say ([`SchemaUpdate`](crate::settings::SchemaUpdate)).
    ///
    /// `events` are the kinds that [`Tx::record`] stores; it ignores others.
    pub async fn open(settings: &DatabaseSettings, clock: Clock, events: EventKinds) -> Result<Self> {
        schema_steps::require_current(settings).await?;
        let (db, bounds) = match &settings.url {
            DatabaseUrl::Sqlite(path) => (Db::Sqlite(SqliteDatabase::open(path).await?), StalenessBounds::SQLITE),
            DatabaseUrl::Postgres(url) => {
                (Db::Postgres(postgres::open(url, settings).await?), StalenessBounds::POSTGRES)
            }
        };
        let shared = Shared {
            clock,
            database_clock: DatabaseClock::default(),
            events: RwLock::new(events),
            outbox_wakeups: Wakeups::default(),
            statements: AtomicU64::new(0),
            last_write: LastWrite::default(),
            audited: AuditCounts::default(),
            sessions: SessionState::new(bounds),
            providers: ProviderMemory::default(),
        };
        Ok(Self { db, shared: Arc::new(shared) })
    }

    /// Fails if no database can be opened with these settings; opens none.
    pub fn check(settings: &DatabaseSettings) -> Result<()> {
        postgres::check(settings)
    }

    pub fn is_sqlite(&self) -> bool {
        matches!(self.db, Db::Sqlite(_))
    }

    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// Notified after every commit in this process that put something of this channel into the outbox.
    pub fn outbox_wakeup(&self, channel: Channel) -> &Notify {
        self.shared.outbox_wakeups.of(channel)
    }

    /// The number of statements this process has run so far, except those that look up a session or poll for changes of
    /// sessions. The time a request takes must not reveal whether an account exists, so both cases must run the same
    /// number.
    pub fn statements(&self) -> u64 {
        self.shared.statements.load(Ordering::Relaxed)
    }

    /// A read-only connection, for a principal who may do what it is for. Where that is their own account only,
    /// [`read_own`](Self::read_own) compares it; where it is their organization, the caller reads the role first.
    pub async fn read(&self, principal: &Principal, operation: Operation) -> Result<Conn> {
        let permit = principal.require(operation)?;
        if matches!(permit.reach(), Reach::Own(_)) {
            return Err(StoreError::Unchecked(operation));
        }
        let mut conn = self.read_internal().await?;
        conn.require_current_administrator(principal, operation).await?;
        Ok(conn)
    }

    pub async fn read_own(&self, principal: &Principal, operation: Operation, user: UserId) -> Result<Conn> {
        // Whose platform roles do not matter: they protect from changes.
        principal.require(operation)?.covers(AccountTarget::new(user, Roles::NONE))?;
        self.read_internal().await
    }

    /// A transaction of several statements, for a principal who may do what it does.
    pub async fn begin(&self, principal: &Principal, operation: Operation) -> Result<Tx> {
        let permit = principal.require(operation)?;
        let mut tx = self.begin_internal().await?.permitted(principal, permit);
        tx.require_current_administrator(principal, operation).await?;
        Ok(tx)
    }

    /// As [`begin`](Self::begin), of at most one changing statement, which saves the round trips of `BEGIN` and
    /// `COMMIT`.
    pub async fn begin_autocommit(&self, principal: &Principal, operation: Operation) -> Result<Tx> {
        let permit = principal.require(operation)?;
        let mut tx = self.begin_autocommit_internal().await?.permitted(principal, permit);
        tx.require_current_administrator(principal, operation).await?;
        Ok(tx)
    }

    /// As [`begin`](Self::begin), of at most one statement that takes, uses or releases leases. It is visible to
    /// all at once, and survives this process; on SQLite a loss of power may undo it.
    pub async fn begin_lease(&self, principal: &Principal, operation: Operation) -> Result<Tx> {
        let permit = principal.require(operation)?;
        let tx = self.tx(self.db.begin_lease().await?);
        Ok(tx.permitted(principal, permit))
    }

    /// As [`begin_lease`](Self::begin_lease), for a claim of deliveries of this queue: of those that have an order there
    /// is one at a time.
    pub async fn begin_claim(&self, principal: &Principal, operation: Operation, queue: Queue) -> Result<Tx> {
        let permit = principal.require(operation)?;
        let tx = self.tx(self.db.begin_claim(queue).await?);
        Ok(tx.permitted(principal, permit))
    }

    /// A read-only connection for the store itself, without a permit.
    pub(super) async fn read_internal(&self) -> Result<Conn> {
        Ok(self.conn(self.db.read().await?))
    }

    /// A transaction of several statements of the store itself, without a permit.
    pub(super) async fn begin_internal(&self) -> Result<Tx> {
        Ok(self.tx(self.db.begin().await?))
    }

    /// As [`begin_internal`](Self::begin_internal), of at most one changing statement.
    pub(super) async fn begin_autocommit_internal(&self) -> Result<Tx> {
        Ok(self.tx(self.db.begin_autocommit().await?))
    }

    fn conn(&self, inner: Inner) -> Conn {
        Conn::new(inner, self.shared.clone())
    }

    fn tx(&self, inner: Inner) -> Tx {
        Tx::new(self.conn(inner))
    }

    /// Closes every connection, after the transactions under way.
    pub async fn close(&self) {
        match &self.db {
            Db::Sqlite(db) => db.close().await,
            Db::Postgres(pool) => {
                // Held to the end: a poll would open another connection.
                let _closed = self.shared.sessions.close().await;
                pool.close().await;
            }
        }
    }
}
