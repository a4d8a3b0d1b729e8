//! PostgreSQL connections between two uses.
//!
//! The driver's pool pings a connection that is returned, which is a round trip for every use, and doubles the cost of
//! most uses. So a connection whose last statement was answered is kept here for the next use; the pool gets back only
//! those that were dropped in the middle of a statement, or that are old enough for the pool to check.

use super::error::Result;
use sqlx::pool::PoolConnection;
use sqlx::{Connection, Executor, PgConnection, PgPool, Postgres};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

/// Enough to keep a small server busy; beyond it PostgreSQL itself is the limit.
pub(super) const MAX_IN_USE: u32 = 20;
/// A request waits this long for a free connection, or for the server, before it fails.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection that was idle for longer is pinged before its next use: the server may have been restarted.
pub(super) const PING_AFTER_IDLE: Duration = Duration::from_secs(1);
/// After this time a connection goes back to the pool, which closes it when it is too old.
const RETURN_TO_POOL_AFTER: Duration = Duration::from_mins(1);

/// The connections of one process that are ready for the next use.
pub(super) struct IdleConnections {
    idle: Mutex<Idle>,
    /// One permit for each connection in use, so that a task with a permit always finds a connection in the pool, or
    /// one that is being returned to it.
    in_use: Arc<Semaphore>,
}

#[derive(Default)]
struct Idle {
    /// The most recently used is last.
    connections: Vec<IdleConnection>,
    /// Set on shutdown: from then on all go back into the pool, which waits for them.
    closed: bool,
    /// Connections from before are not used again.
    renewed_at: Option<Instant>,
}

struct IdleConnection {
    connection: PoolConnection<Postgres>,
    since: Instant,
    from_pool_at: Instant,
}

impl Default for IdleConnections {
    fn default() -> Self {
        let in_use = Arc::new(Semaphore::new(usize::try_from(MAX_IN_USE).unwrap_or(1)));
        Self { idle: Mutex::default(), in_use }
    }
}

impl IdleConnections {
    /// A connection for one use.
    pub(super) async fn acquire(self: &Arc<Self>, pool: &PgPool) -> Result<PooledConnection> {
        let acquired = timeout(ACQUIRE_TIMEOUT, self.acquire_without_timeout(pool)).await;
        Ok(acquired.unwrap_or(Err(sqlx::Error::PoolTimedOut))?)
    }

    async fn acquire_without_timeout(self: &Arc<Self>, pool: &PgPool) -> sqlx::Result<PooledConnection> {
        let permit = self.in_use.clone().acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let (connection, from_pool_at) = match self.pop_alive().await {
            Some(idle) => (idle.connection, idle.from_pool_at),
            None => (pool.acquire().await?, Instant::now()),
        };
        let (connection, state, idle) = (Some(connection), ConnectionState::Ready, self.clone());
        Ok(PooledConnection { connection, from_pool_at, state, idle, _permit: permit })
    }

    /// The most recently used connection that is still alive.
    async fn pop_alive(&self) -> Option<IdleConnection> {
        loop {
            let mut idle = self.idle().connections.pop()?;
            if idle.since.elapsed() < PING_AFTER_IDLE || idle.connection.ping().await.is_ok() {
                return Some(idle);
            }
            // Not returned to the pool, which would ping it again and log that it is dead.
            drop(idle.connection.detach());
        }
    }

    fn release(&self, connection: IdleConnection) {
        let now = connection.since;
        let mut idle = self.idle();
        if idle.renewed_at.is_some_and(|renewed_at| connection.from_pool_at <= renewed_at) {
            drop(connection.connection.detach());
            return;
        }
        if !idle.closed && now.duration_since(connection.from_pool_at) < RETURN_TO_POOL_AFTER {
            idle.connections.push(connection);
        }
        // Fewer are in use than before: the pool closes the surplus in time.
        if idle.connections.first().is_some_and(|first| now.duration_since(first.since) >= RETURN_TO_POOL_AFTER) {
            idle.connections.remove(0);
        }
    }

    /// Closes every connection, those in use after their use: they may lead to a server that was replaced.
    pub(super) fn renew(&self) {
        let mut idle = self.idle();
        idle.renewed_at = Some(Instant::now());
        for idle in idle.connections.drain(..) {
            drop(idle.connection.detach());
        }
    }

    /// Returns every idle connection to the pool, and keeps none from now on.
    pub(super) fn close(&self) {
        let mut idle = self.idle();
        idle.closed = true;
        idle.connections.clear();
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for IdleConnections {
    fn drop(&mut self) {
        // To go back into the pool a connection needs a runtime; without one it is closed.
        if Handle::try_current().is_err() {
            for idle in self.idle().connections.drain(..) {
                drop(idle.connection.detach());
            }
        }
    }
}

/// A connection in use.
pub(super) struct PooledConnection {
    /// `None` only while it is dropped.
    connection: Option<PoolConnection<Postgres>>,
    from_pool_at: Instant,
    state: ConnectionState,
    idle: Arc<IdleConnections>,
    _permit: OwnedSemaphorePermit,
}

/// What is known of a connection in use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ConnectionState {
    /// The server has answered the last statement, and no transaction is open.
    Ready,
    /// A statement was sent, or failed.
    Busy,
    /// A transaction is open, or may be.
    InTransaction,
}

impl PooledConnection {
    /// The connection for a statement, after whose answer [`PooledConnection::mark_ready`] must be called.
    pub(super) fn connection(&mut self) -> sqlx::Result<&mut PgConnection> {
        if self.state == ConnectionState::Ready {
            self.state = ConnectionState::Busy;
        }
        self.connection.as_deref_mut().ok_or(sqlx::Error::PoolClosed)
    }

    /// Records that the server has answered the last statement completely, and without an error.
    pub(super) fn mark_ready(&mut self) {
        if self.state == ConnectionState::Busy {
            self.state = ConnectionState::Ready;
        }
    }

    /// Opens a transaction; dropped before its commit, it is rolled back.
    pub(super) async fn begin(mut self) -> Result<Self> {
        self.state = ConnectionState::InTransaction;
        self.connection()?.execute("BEGIN").await?;
        Ok(self)
    }

    /// Commits the transaction.
    pub(super) async fn commit(self) -> Result<()> {
        self.end("COMMIT").await
    }

    /// Rolls the transaction back.
    pub(super) async fn rollback(self) -> Result<()> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, how: &'static str) -> Result<()> {
        self.connection()?.execute(how).await?;
        self.state = ConnectionState::Ready;
        Ok(())
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let Ok(runtime) = Handle::try_current() else {
            drop(connection.detach());
            return;
        };
        match self.state {
            ConnectionState::Ready => {
                let since = Instant::now();
                self.idle.release(IdleConnection { connection, since, from_pool_at: self.from_pool_at });
            }
            // The pool waits for the answer first.
            ConnectionState::Busy => drop(connection),
            ConnectionState::InTransaction => {
                // Closed at once if ROLLBACK cannot be sent; PostgreSQL then rolls back by itself.
                runtime.spawn(async move {
                    if connection.execute("ROLLBACK").await.is_err() {
                        connection.close_on_drop();
                    }
                });
            }
        }
    }
}
