//! The PostgreSQL connections of a process.
//!
//! The driver's pool pings each connection that is returned, which is a round trip for every use, and waits without a
//! limit for the answers of a server that is gone. So a connection whose last statement was answered is kept here for the
//! next use, and one that does not answer in time is closed, never returned.

use super::answer::{ANSWER_TIMEOUT, answered, no_answer, within};
use super::connector::Connector;
use super::outage::Outage;
use crate::store::error::{Result, StoreError};
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, Executor, PgConnection};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// A request waits this long for a free connection, or for the server, before it fails.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// A server that refuses a connection for the moment is asked again after this time.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);
/// A connection that was idle for longer is pinged before its next use: the server may have been restarted.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// A connection that nobody needed for this time is closed.
const MAX_IDLE: Duration = Duration::from_mins(5);
/// An older connection is closed after its use, so that the memory of the server's process is given back.
const MAX_AGE: Duration = Duration::from_mins(30);
/// At shutdown, the uses under way have this time, and then the connections have as much to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// Connections that requests never take: for notifications of other processes.
const RESERVED: u32 = 1;
/// Connections that are not of the pool: one polls the change feed, and two listen, for webhooks and for mails.
const BESIDE: u32 = 3;

/// The connections of one process. Clones share everything.
#[derive(Clone)]
pub(in crate::store) struct PostgresPool(Arc<Shared>);

struct Shared {
    connector: Connector,
    idle: Mutex<Idle>,
    /// One permit for each connection that requests may use at once.
    requests: Arc<Semaphore>,
    reserved: Arc<Semaphore>,
    max_requests: u32,
    outage: Outage,
}

#[derive(Default)]
struct Idle {
    /// The most recently used is last.
    connections: Vec<IdleConnection>,
    /// Set at shutdown: from then on none is kept.
    closed: bool,
    /// Connections from before are not used again.
    renewed_at: Option<Instant>,
}

struct IdleConnection {
    connection: PgConnection,
    opened: Instant,
    since: Instant,
}

impl PostgresPool {
    /// Connects to nothing yet. The process has at most `max` connections.
    pub(super) fn new(connector: Connector, max: u32) -> Self {
        let max_requests = max.saturating_sub(RESERVED + BESIDE).max(1);
        let permits = |count: u32| Arc::new(Semaphore::new(usize::try_from(count).unwrap_or(1)));
        Self(Arc::new(Shared {
            connector,
            idle: Mutex::default(),
            requests: permits(max_requests),
            reserved: permits(RESERVED),
            max_requests,
            outage: Outage::default(),
        }))
    }

    /// A connection for one use.
    pub(in crate::store) async fn acquire(&self) -> Result<PooledConnection> {
        self.acquire_of(&self.0.requests).await
    }

    /// A connection for the background: however many requests wait, one is soon free.
    pub(in crate::store) async fn acquire_reserved(&self) -> Result<PooledConnection> {
        self.acquire_of(&self.0.reserved).await
    }

    /// A connection in a transaction.
    pub(in crate::store) async fn begin(&self) -> Result<PooledConnection> {
        match self.acquire().await?.begin().await {
            // Nothing was done yet, and after the first that is lost all others are new.
            Err(error) if error.is_lost() => self.acquire().await?.begin().await,
            begun => begun,
        }
    }

    async fn acquire_of(&self, permits: &Arc<Semaphore>) -> Result<PooledConnection> {
        let deadline = Instant::now() + ACQUIRE_TIMEOUT;
        let permit = match timeout_at(deadline, permits.clone().acquire_owned()).await {
            Ok(permit) => permit.map_err(|_| sqlx::Error::PoolClosed)?,
            Err(_) => return Err(self.0.failed(sqlx::Error::PoolTimedOut.into())),
        };
        let (connection, opened) = match self.0.pop_alive().await {
            Some(idle) => (idle.connection, idle.opened),
            None => (self.0.connect(deadline).await?, Instant::now()),
        };
        let (connection, state, pool) = (Some(connection), ConnectionState::Ready, self.0.clone());
        Ok(PooledConnection { connection, opened, state, sent: opened, pool, permit: Some(permit) })
    }

    /// A new connection that is not of the pool.
    pub(in crate::store) async fn connect(&self) -> Result<PgConnection> {
        self.0.connect(Instant::now() + ACQUIRE_TIMEOUT).await
    }

    /// Closes every connection, those in use after their use: where one is lost, the others lead to the same place.
    pub(in crate::store) fn renew(&self) {
        self.0.renew();
    }

    /// Keeps a connection for the next use.
    pub(super) fn keep_new(&self, connection: PgConnection) {
        self.0.keep(connection, Instant::now());
    }

    /// How to connect to the server that is used now, for connections that are not of the pool.
    pub(in crate::store) async fn options(&self) -> Result<PgConnectOptions> {
        self.0.connector.options().await
    }

    /// Closes every connection, after the uses under way; waits for neither without a limit.
    pub(in crate::store) async fn close(&self) {
        let all = async {
            let requests = self.0.requests.acquire_many(self.0.max_requests).await;
            (requests.is_ok(), self.0.reserved.acquire_many(RESERVED).await.is_ok())
        };
        let in_use = timeout(CLOSE_TIMEOUT, all).await.is_err();
        if in_use {
            tracing::debug!("connections that are in use are dropped");
        }
        self.0.requests.close();
        self.0.reserved.close();
        let idle = self.0.keep_none();
        let mut closing: JoinSet<_> = idle.into_iter().map(|idle| idle.connection.close()).collect();
        // What has not closed by then is dropped.
        let _ = timeout(CLOSE_TIMEOUT, async { while closing.join_next().await.is_some() {} }).await;
    }
}

impl Shared {
    /// A new connection; asks again while the server starts, or has too many.
    async fn connect(&self, deadline: Instant) -> Result<PgConnection> {
        loop {
            let connected = timeout_at(deadline, self.connector.connect()).await;
            match connected.unwrap_or_else(|_| Err(no_answer(ACQUIRE_TIMEOUT).into())) {
                Err(error) if error.is_short() && Instant::now() + RETRY_INTERVAL < deadline => {
                    self.outage.failed(&error);
                    sleep(RETRY_INTERVAL).await;
                }
                Err(error) => return Err(self.failed(error)),
                Ok(connection) => return Ok(connection),
            }
        }
    }

    /// The most recently used connection, if it is still alive.
    async fn pop_alive(&self) -> Option<IdleConnection> {
        let mut idle = self.idle().connections.pop()?;
        if idle.since.elapsed() < PING_AFTER_IDLE || within(PING_TIMEOUT, idle.connection.ping()).await.is_ok() {
            return Some(idle);
        }
        self.renew();
        None
    }

    fn renew(&self) {
        let mut idle = self.idle();
        idle.renewed_at = Some(Instant::now());
        idle.connections.clear();
    }

    fn keep(&self, connection: PgConnection, opened: Instant) {
        let now = Instant::now();
        let mut idle = self.idle();
        let is_outdated = idle.renewed_at.is_some_and(|renewed_at| opened <= renewed_at);
        if !idle.closed && !is_outdated && now.duration_since(opened) < MAX_AGE {
            idle.connections.push(IdleConnection { connection, opened, since: now });
        }
        // Fewer are in use than before.
        if idle.connections.first().is_some_and(|first| now.duration_since(first.since) >= MAX_IDLE) {
            idle.connections.remove(0);
        }
    }

    /// From now on none is kept; those that were are returned.
    fn keep_none(&self) -> Vec<IdleConnection> {
        let mut idle = self.idle();
        idle.closed = true;
        std::mem::take(&mut idle.connections)
    }

    fn failed(&self, error: StoreError) -> StoreError {
        if error.is_away() {
            self.outage.failed(&error);
        }
        error
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection in use.
pub(in crate::store) struct PooledConnection {
    /// `None` only while it is dropped.
    connection: Option<PgConnection>,
    opened: Instant,
    state: ConnectionState,
    /// When the last statement was sent.
    sent: Instant,
    pool: Arc<Shared>,
    permit: Option<OwnedSemaphorePermit>,
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
    /// The server does not answer, or takes no writes.
    Lost,
}

impl PooledConnection {
    /// The connection for a statement of [`answered`], whose result goes to [`PooledConnection::settle`].
    pub(in crate::store) fn connection(&mut self) -> sqlx::Result<&mut PgConnection> {
        if self.state == ConnectionState::Ready {
            self.state = ConnectionState::Busy;
        }
        self.sent = Instant::now();
        self.connection.as_mut().ok_or(sqlx::Error::PoolClosed)
    }

    /// Records what the server has answered to the last statement.
    pub(in crate::store) fn settle<T>(&mut self, result: sqlx::Result<T>) -> Result<T> {
        match result {
            Ok(value) => {
                self.pool.outage.answered();
                if self.state == ConnectionState::Busy {
                    self.state = ConnectionState::Ready;
                }
                Ok(value)
            }
            Err(error) => {
                let error = self.pool.failed(error.into());
                if error.is_lost() {
                    self.lost();
                }
                Err(error)
            }
        }
    }

    /// Closes the connection after its use, and those beside it.
    pub(in crate::store) fn lost(&mut self) {
        self.state = ConnectionState::Lost;
        self.pool.renew();
    }

    /// Opens a transaction; dropped before its commit, it is rolled back.
    async fn begin(mut self) -> Result<Self> {
        self.state = ConnectionState::InTransaction;
        let begun = answered(self.connection()?.execute("BEGIN")).await;
        self.settle(begun)?;
        Ok(self)
    }

    /// Commits the transaction.
    pub(in crate::store) async fn commit(self) -> Result<()> {
        self.end("COMMIT").await
    }

    /// Rolls the transaction back.
    pub(in crate::store) async fn rollback(self) -> Result<()> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, how: &'static str) -> Result<()> {
        let ended = answered(self.connection()?.execute(how)).await;
        self.settle(ended)?;
        self.state = ConnectionState::Ready;
        Ok(())
    }
}

impl Drop for PooledConnection {
    fn drop(&mut self) {
        let Some(mut connection) = self.connection.take() else { return };
        let in_transaction = match self.state {
            ConnectionState::Ready => return self.pool.keep(connection, self.opened),
            ConnectionState::Lost => return,
            ConnectionState::Busy => false,
            ConnectionState::InTransaction => true,
        };
        // Without a runtime it is closed at once; PostgreSQL then rolls back by itself.
        let Ok(runtime) = Handle::try_current() else { return };
        let (pool, opened, permit) = (self.pool.clone(), self.opened, self.permit.take());
        let limit = ANSWER_TIMEOUT.saturating_sub(self.sent.elapsed()).max(PING_TIMEOUT);
        runtime.spawn(async move {
            let _permit = permit;
            let answer = async {
                if in_transaction {
                    connection.execute("ROLLBACK").await?;
                    return Ok(());
                }
                connection.ping().await
            };
            match within(limit, answer).await {
                Ok(()) => pool.keep(connection, opened),
                Err(_) => pool.renew(),
            }
        });
    }
}
