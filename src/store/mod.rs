//! SQL and nothing else: one text for SQLite and PostgreSQL, run by [`Conn`]; every change in a transaction, [`Tx`].
//!
//! [`Store::read`] gives a [`Conn`] that can only look; [`Store::begin`] gives a [`Tx`], which can also change. What a
//! transaction computed leaves the store only after its commit is durable.

#[macro_use]
mod macros;
mod account_tokens;
mod audit;
mod channel;
mod conn;
mod error;
mod event_batch;
mod failed_tries;
mod half_log_ins;
mod instance;
mod invitations;
mod invitations_clean;
mod kept;
mod last_use;
mod limits;
mod mails;
mod mails_read;
#[cfg(test)]
mod mails_tests;
mod members;
mod migrate;
mod organizations;
mod organizations_batch;
#[cfg(test)]
mod organizations_tests;
mod outbox;
mod outbox_claim;
mod outbox_listen;
mod outbox_maintain;
mod outbox_read;
mod outbox_replay;
mod outbox_settle;
mod outbox_stats;
#[cfg(test)]
mod outbox_tests;
mod passkeys;
#[cfg(test)]
mod plan;
mod postgres;
mod recovery_codes;
mod refreshed;
mod remembered_devices;
mod reset_requests;
mod session_advances;
mod session_cache;
mod session_changes;
mod session_end;
mod session_list;
mod session_look;
mod session_organization;
mod session_read;
mod sessions;
mod signing_keys;
mod sqlite;
mod totp;
mod types;
mod users;

pub use account_tokens::AccountTokenRow;
pub use audit::AuditRow;
pub use channel::Channel;
pub use conn::{Conn, Tx};
pub use error::{Constraint, StoreError};
pub use failed_tries::FailedTries;
pub use half_log_ins::HalfLogInRow;
pub use invitations::{InvitationHashes, InvitationRow};
pub use last_use::{LAST_USE_PRECISION, LastUse};
pub use limits::LimitRow;
pub use mails::{NewMail, SealedMail};
pub use mails_read::{MailFilter, MailRow};
pub use members::MemberRow;
pub use organizations::{MembershipRow, OrganizationRow};
pub use outbox_claim::{Claimed, Lease, OUTBOX_BATCH};
pub use outbox_listen::OutboxListener;
pub use outbox_maintain::{Finished, Reaped};
pub use outbox_read::{AttemptRow, DeliveryFilter, DeliveryRow, DeliveryState};
pub use outbox_replay::{FailedWithin, REPLAY_BATCH};
pub use outbox_settle::{Attempt, Next, Settlement};
pub use outbox_stats::{AttemptSample, COUNT_LIMIT, OldestPending, SAMPLE};
pub use passkeys::PasskeyRow;
pub use recovery_codes::RecoveryCodeRow;
pub use remembered_devices::RememberedDeviceRow;
pub use reset_requests::ResetRequestRow;
pub use session_changes::{CHANGES_KEPT, Place};
pub use session_read::{KnownSession, SessionView};
pub use sessions::{NewSession, SessionRow, SessionSummary};
pub use signing_keys::SigningKeyRow;
pub use totp::TotpRow;
pub use users::UserRow;

use crate::clock::Clock;
use crate::model::event::EventKinds;
use crate::settings::{Database, DatabaseUrl};
use channel::Bells;
use conn::Inner;
use kept::Kept;
use refreshed::RefreshedSessions;
use session_advances::SessionAdvances;
use session_cache::{Limits, SessionCache};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::Notify;

/// What a fallible store function returns.
pub type Result<T> = std::result::Result<T, StoreError>;

/// The database of one process. Clones share everything.
#[derive(Clone)]
pub struct Store {
    db: Db,
    shared: Arc<Shared>,
}

#[derive(Clone)]
enum Db {
    Sqlite(sqlite::Database),
    Postgres(sqlx::PgPool),
}

/// What every connection of the process needs to know.
struct Shared {
    clock: Clock,
    /// The kinds of event that are stored; none without webhooks.
    events: EventKinds,
    /// Rung after a commit that put something into the outbox.
    outbox_bells: Bells,
    /// As [`Store::statements`] tells.
    statements: AtomicU64,
    /// Sessions in memory.
    sessions: SessionCache,
    /// Sessions as their last refresh left them.
    refreshed: RefreshedSessions,
    /// Refreshes that wait for the next statement.
    advances: SessionAdvances,
    /// PostgreSQL connections for the next use.
    kept: Arc<Kept>,
}

impl Store {
    /// Connects, makes the SQLite file if there is none, and brings the schema up to date.
    ///
    /// `events` are the kinds that [`Tx::outbox_push`] stores; others it passes over.
    pub async fn open(settings: &Database, clock: Clock, events: EventKinds) -> Result<Self> {
        let (db, limits) = match &settings.url {
            DatabaseUrl::Sqlite(path) => (Db::Sqlite(sqlite::Database::open(path).await?), Limits::SQLITE),
            DatabaseUrl::Postgres(url) => (Db::Postgres(postgres::open(url).await?), Limits::POSTGRES),
        };
        let shared = Shared {
            clock,
            events,
            outbox_bells: Bells::default(),
            statements: AtomicU64::new(0),
            sessions: SessionCache::new(limits),
            refreshed: RefreshedSessions::default(),
            advances: SessionAdvances::default(),
            kept: Arc::default(),
        };
        Ok(Self { db, shared: Arc::new(shared) })
    }

    /// Whether the database is SQLite.
    pub fn is_sqlite(&self) -> bool {
        matches!(self.db, Db::Sqlite(_))
    }

    /// The injected clock.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// Rung after every commit in this process that put something of this channel into the outbox.
    pub fn outbox_bell(&self, channel: Channel) -> &Notify {
        self.shared.outbox_bells.of(channel)
    }

    /// How many statements this process has run so far, but for those that look for a session and for what changed about
    /// sessions. An attacker must not learn from the time they take whether an account exists, so there are to be as many
    /// either way.
    pub fn statements(&self) -> u64 {
        self.shared.statements.load(Ordering::Relaxed)
    }

    /// A connection that can only look.
    pub async fn read(&self) -> Result<Conn> {
        let inner = match &self.db {
            Db::Sqlite(db) => Inner::SqliteRead(db.reader().await?),
            Db::Postgres(pool) => Inner::PostgresRead(self.shared.kept.lease(pool).await?),
        };
        Ok(Conn::new(inner, self.shared.clone()))
    }

    /// A transaction of several statements.
    pub async fn begin(&self) -> Result<Tx> {
        let inner = match &self.db {
            Db::Sqlite(db) => Inner::SqliteTurn(db.turn().await?),
            Db::Postgres(pool) => Inner::PostgresTx(self.shared.kept.lease(pool).await?.begin().await?),
        };
        Ok(Tx::new(Conn::new(inner, self.shared.clone())))
    }

    /// A transaction of at most one changing statement, which saves the round trips that make several atomic.
    pub async fn begin_single(&self) -> Result<Tx> {
        let inner = match &self.db {
            Db::Sqlite(db) => Inner::SqliteTurn(db.single_turn().await?),
            Db::Postgres(pool) => Inner::PostgresSingle(self.shared.kept.lease(pool).await?),
        };
        Ok(Tx::new(Conn::new(inner, self.shared.clone())))
    }

    /// A transaction of at most one statement that takes, uses or gives back leases. It is seen by all at once, and
    /// survives this process; on SQLite a loss of power may undo it.
    pub async fn begin_lease(&self) -> Result<Tx> {
        match &self.db {
            Db::Sqlite(db) => {
                let inner = Inner::SqliteTurn(db.lease_turn().await?);
                Ok(Tx::new(Conn::new(inner, self.shared.clone())))
            }
            // The server may fail without those who hold the leases, and then must not give the same ones out again.
            Db::Postgres(_) => self.begin_single().await,
        }
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.read().await?.ping().await
    }

    /// Closes every connection, after the transactions under way.
    pub async fn close(&self) {
        match &self.db {
            Db::Sqlite(db) => db.close().await,
            Db::Postgres(pool) => {
                self.shared.kept.close();
                pool.close().await;
            }
        }
    }
}
