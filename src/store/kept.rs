//! PostgreSQL connections between two uses.
//!
//! The driver's pool asks a connection that comes back whether it still lives, which is a round trip for every use, and
//! as much again as most uses take. So a connection whose last statement was answered is kept here for the next use;
//! the pool gets back only those that were left in the middle, or that it should look at because of their age.

use super::Result;
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
/// A connection that lay idle for longer is asked whether it still lives: the server may have been restarted.
pub(super) const TRUSTED_IDLE: Duration = Duration::from_secs(1);
/// After this time the pool looks at a connection, and closes it when it is too old.
const LOOKED_AT: Duration = Duration::from_mins(1);

/// The connections of one process that are ready for the next use.
pub(super) struct Kept {
    idle: Mutex<Idle>,
    /// One for each connection in use, so that there is always one in the pool, or on its way there, for whoever waits.
    in_use: Arc<Semaphore>,
}

#[derive(Default)]
struct Idle {
    /// Those used last are last.
    connections: Vec<Ready>,
    /// Set at the end: from then on all go back into the pool, which waits for them.
    closed: bool,
}

struct Ready {
    connection: PoolConnection<Postgres>,
    since: Instant,
    from_pool_at: Instant,
}

impl Default for Kept {
    fn default() -> Self {
        let in_use = Arc::new(Semaphore::new(usize::try_from(MAX_IN_USE).unwrap_or(1)));
        Self { idle: Mutex::default(), in_use }
    }
}

impl Kept {
    /// A connection for one use.
    pub(super) async fn lease(self: &Arc<Self>, pool: &PgPool) -> Result<Lease> {
        let lease = timeout(ACQUIRE_TIMEOUT, self.lease_at_leisure(pool)).await;
        Ok(lease.unwrap_or(Err(sqlx::Error::PoolTimedOut))?)
    }

    async fn lease_at_leisure(self: &Arc<Self>, pool: &PgPool) -> sqlx::Result<Lease> {
        let permit = self.in_use.clone().acquire_owned().await.map_err(|_| sqlx::Error::PoolClosed)?;
        let (connection, from_pool_at) = match self.living().await {
            Some(ready) => (ready.connection, ready.from_pool_at),
            None => (pool.acquire().await?, Instant::now()),
        };
        let (connection, state, kept) = (Some(connection), State::Answered, self.clone());
        Ok(Lease { connection, from_pool_at, state, kept, _permit: permit })
    }

    /// The connection used last that still lives.
    async fn living(&self) -> Option<Ready> {
        loop {
            let mut ready = self.idle().connections.pop()?;
            if ready.since.elapsed() < TRUSTED_IDLE || ready.connection.ping().await.is_ok() {
                return Some(ready);
            }
            // Not back into the pool, which would ask again, and say in the log that it does not live.
            drop(ready.connection.detach());
        }
    }

    fn give_back(&self, ready: Ready) {
        let now = ready.since;
        let mut idle = self.idle();
        if !idle.closed && now.duration_since(ready.from_pool_at) < LOOKED_AT {
            idle.connections.push(ready);
        }
        // Fewer are in use than there were: the pool closes them in time.
        if idle.connections.first().is_some_and(|first| now.duration_since(first.since) >= LOOKED_AT) {
            idle.connections.remove(0);
        }
    }

    /// Lets go of every connection, and keeps none from now on.
    pub(super) fn close(&self) {
        let mut idle = self.idle();
        idle.closed = true;
        idle.connections.clear();
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // To go back into the pool a connection needs a runtime; where there is none any more, it is closed.
        if Handle::try_current().is_err() {
            for ready in self.idle().connections.drain(..) {
                drop(ready.connection.detach());
            }
        }
    }
}

/// A connection in use.
pub(super) struct Lease {
    /// `None` only while it is dropped.
    connection: Option<PoolConnection<Postgres>>,
    from_pool_at: Instant,
    state: State,
    kept: Arc<Kept>,
    _permit: OwnedSemaphorePermit,
}

/// What is known of a connection in use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The server has answered the last statement, and no transaction is open.
    Answered,
    /// A statement was sent, or failed.
    Asked,
    /// A transaction is open, or may be.
    Transaction,
}

impl Lease {
    /// The connection for a statement, after whose answer [`Lease::answered`] is to be called.
    pub(super) fn ask(&mut self) -> sqlx::Result<&mut PgConnection> {
        if self.state == State::Answered {
            self.state = State::Asked;
        }
        self.connection.as_deref_mut().ok_or(sqlx::Error::PoolClosed)
    }

    /// Says that the server has answered the last statement to its end, and without an error.
    pub(super) fn answered(&mut self) {
        if self.state == State::Asked {
            self.state = State::Answered;
        }
    }

    /// Opens a transaction; dropped before its commit, it is rolled back.
    pub(super) async fn begin(mut self) -> Result<Self> {
        self.state = State::Transaction;
        self.ask()?.execute("BEGIN").await?;
        Ok(self)
    }

    /// Ends the transaction.
    pub(super) async fn commit(self) -> Result<()> {
        self.end("COMMIT").await
    }

    /// Ends the transaction as if it had never been.
    pub(super) async fn rollback(self) -> Result<()> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, how: &'static str) -> Result<()> {
        self.ask()?.execute(how).await?;
        self.state = State::Answered;
        Ok(())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let Ok(runtime) = Handle::try_current() else {
            drop(connection.detach());
            return;
        };
        match self.state {
            State::Answered => {
                let since = Instant::now();
                self.kept.give_back(Ready { connection, since, from_pool_at: self.from_pool_at });
            }
            // The pool waits for the answer first.
            State::Asked => drop(connection),
            State::Transaction => {
                // Closed at once if it cannot be told to roll back; PostgreSQL does so then by itself.
                runtime.spawn(async move {
                    if connection.execute("ROLLBACK").await.is_err() {
                        connection.close_on_drop();
                    }
                });
            }
        }
    }
}
