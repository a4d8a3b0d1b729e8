//! The PostgreSQL connections of a process.
//!
//! The driver's pool pings each connection that is returned, which is a round trip for every use, and waits without a
//! limit for the answers of a server that is gone. So a connection whose last statement was answered is kept here for the
//! next use, and one that does not answer in time is closed, never returned.

use super::connections::{ACQUIRE_TIMEOUT, Connections};
use super::connector::Connector;
use super::pooled::PooledConnection;
use crate::store::error::Result;
use crate::store::status::ConnectionUse;
use crate::store::waiter::Waiter;
use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout, timeout_at};

/// At shutdown, the uses under way have this time, and then the connections have as much to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// Connections that requests never take: for notifications of other processes.
const RESERVED: u32 = 1;
/// Connections that are not of the pool: one polls the change feed, and two listen, for webhooks and for mails.
const BESIDE: u32 = 3;

/// The connections of one process. Clones share everything.
#[derive(Clone)]
pub(in crate::store) struct PostgresPool {
    connections: Arc<Connections>,
    /// One permit for each connection that requests may use at once.
    requests: Arc<Semaphore>,
    reserved: Arc<Semaphore>,
    max_requests: u32,
    waiting: Arc<AtomicUsize>,
}

impl PostgresPool {
    /// Connects to nothing yet. The process has at most `max` connections.
    pub(super) fn new(connector: Connector, max: u32) -> Self {
        let max_requests = max.saturating_sub(RESERVED + BESIDE).max(1);
        let permits = |count: u32| Arc::new(Semaphore::new(usize::try_from(count).unwrap_or(1)));
        let (requests, reserved) = (permits(max_requests), permits(RESERVED));
        let (connections, waiting) = (Arc::new(Connections::new(connector)), Arc::default());
        Self { connections, requests, reserved, max_requests, waiting }
    }

    pub(in crate::store) async fn acquire(&self) -> Result<PooledConnection> {
        self.acquire_of(&self.requests).await
    }

    /// A connection for the background: however many requests wait, one is soon free.
    pub(in crate::store) async fn acquire_reserved(&self) -> Result<PooledConnection> {
        self.acquire_of(&self.reserved).await
    }

    pub(in crate::store) async fn begin(&self) -> Result<PooledConnection> {
        self.begin_with("BEGIN").await
    }

    /// As [`Self::begin`], with a statement that begins with `BEGIN`.
    pub(in crate::store) async fn begin_with(&self, statement: &'static str) -> Result<PooledConnection> {
        match self.acquire().await?.begin(statement).await {
            // Nothing was done yet, and after the first that is lost all others are new.
            Err(error) if error.is_lost() && !error.is_unanswered() => self.acquire().await?.begin(statement).await,
            begun => begun,
        }
    }

    async fn acquire_of(&self, permits: &Arc<Semaphore>) -> Result<PooledConnection> {
        let mut deadline = Instant::now() + ACQUIRE_TIMEOUT;
        let away = self.connections.outage.unreachable();
        if let Some(cause) = &away {
            deadline = self.connections.outage.patience(cause, deadline);
        }
        let waiting = Waiter::begin(&self.waiting);
        let permit = match (timeout_at(deadline, permits.clone().acquire_owned()).await, away) {
            (Ok(permit), _) => permit.map_err(|_| sqlx::Error::PoolClosed)?,
            // Who waits for a server that is away has the places.
            (Err(_), Some(cause)) => return Err(cause.into()),
            (Err(_), None) => return Err(self.connections.failed(sqlx::Error::PoolTimedOut.into())),
        };
        drop(waiting);
        let opened = self.connections.take(deadline).await?;
        Ok(PooledConnection::new(opened, self.connections.clone(), permit))
    }

    pub(in crate::store) fn connection_use(&self) -> ConnectionUse {
        let limit = usize::try_from(self.max_requests + RESERVED).unwrap_or(0);
        let free = self.requests.available_permits() + self.reserved.available_permits();
        let (is_away, away) = self.connections.outage.so_far();
        ConnectionUse {
            limit,
            in_use: limit.saturating_sub(free),
            waiting: self.waiting.load(Ordering::Relaxed),
            lost: self.connections.lost(),
            refused: self.connections.outage.refused(),
            away,
            is_away,
        }
    }

    /// A new connection that is not of the pool.
    pub(in crate::store) async fn connect(&self) -> Result<PgConnection> {
        Ok(self.connections.connect(Instant::now() + ACQUIRE_TIMEOUT).await?.connection)
    }

    /// Closes every connection, those in use after their use: where one is lost, the others lead to the same place.
    pub(in crate::store) fn renew(&self) {
        self.connections.renew();
    }

    /// How to connect to the server that is used now, for connections that are not of the pool.
    pub(in crate::store) async fn options(&self) -> Result<PgConnectOptions> {
        self.connections.connector.options().await
    }

    /// Closes every connection, after the uses under way; waits for neither without a limit.
    pub(in crate::store) async fn close(&self) {
        let all = async {
            let requests = self.requests.acquire_many(self.max_requests).await;
            (requests.is_ok(), self.reserved.acquire_many(RESERVED).await.is_ok())
        };
        let in_use = timeout(CLOSE_TIMEOUT, all).await.is_err();
        if in_use {
            tracing::debug!(target: "doorward::store::postgres::pool", "connections that are in use are dropped");
        }
        self.requests.close();
        self.reserved.close();
        let idle = self.connections.keep_none();
        let mut closing: JoinSet<_> = idle.into_iter().map(|idle| idle.opened.connection.close()).collect();
        // What has not closed by then is dropped.
        let _ = timeout(CLOSE_TIMEOUT, async { while closing.join_next().await.is_some() {} }).await;
    }
}
