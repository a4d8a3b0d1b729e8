//! The open connections of a process that are idle, and the opening of new ones.

use super::answer::{ANSWER_TIMEOUT, no_answer, within};
use super::connector::{Connector, Opened};
use super::outage::Outage;
use super::reconnect::Reconnect;
use crate::store::error::{Result, StoreError};
use parking_lot::{Mutex, MutexGuard};
use sqlx::{Connection, Executor};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// A request waits this long for a free connection, or for the server, before it fails.
pub(super) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// A server that refuses a connection for the moment is asked again after this time.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);
/// A connection that was idle for longer is pinged before its next use: the server may have been restarted.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);
const PING_TIMEOUT: Duration = Duration::from_secs(2);
/// A connection that was idle for this time is closed.
const MAX_IDLE: Duration = Duration::from_mins(5);
/// An older connection is closed after its use, so that the memory of the server's process is given back.
const MAX_AGE: Duration = Duration::from_mins(30);
const PROBE_TIMEOUT: Duration = Duration::from_secs(4);
/// Whether a process of the server works on a statement.
const AT_WORK: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' \
                       AND application_name = 'doorward')";

pub(super) struct Connections {
    pub(super) connector: Connector,
    pub(super) outage: Outage,
    pub(super) reconnect: Reconnect,
    idle: Mutex<Idle>,
    /// Held while a new connection is made to ask about another.
    probe: tokio::sync::Mutex<()>,
    /// See [`ConnectionUse::lost`](crate::store::ConnectionUse).
    lost: AtomicU64,
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

pub(super) struct IdleConnection {
    pub(super) opened: Opened,
    since: Instant,
}

impl Connections {
    pub(super) fn new(connector: Connector) -> Self {
        let (outage, reconnect, idle) = (Outage::default(), Reconnect::default(), Mutex::default());
        Self { connector, outage, reconnect, idle, probe: tokio::sync::Mutex::default(), lost: AtomicU64::new(0) }
    }

    /// An idle connection, or a new one. While the server cannot be reached, one task tries for all.
    pub(super) async fn take(self: &Arc<Self>, deadline: Instant) -> Result<Opened> {
        loop {
            let mut waiting = std::pin::pin!(self.reconnect.returned());
            waiting.as_mut().enable();
            if let Some(idle) = self.pop_alive().await {
                return Ok(idle.opened);
            }
            let cause = match self.outage.unreachable() {
                Some(cause) => cause,
                None => match self.try_to_connect(deadline).await {
                    Err(error) if error.is_short() => (&error).into(),
                    tried => return tried,
                },
            };
            let until = self.outage.patience(&cause, deadline);
            let begin = || {
                tokio::spawn(try_again(self.clone()));
            };
            if timeout_at(until, self.reconnect.wait(waiting, begin)).await.is_err() {
                return Err(self.outage.unreachable().unwrap_or(cause).into());
            }
        }
    }

    /// A new connection beside those of the pool; asks again while the server starts, has too many, or its name has no
    /// address.
    pub(super) async fn connect(&self, deadline: Instant) -> Result<Opened> {
        if let Some(cause) = self.outage.known() {
            return Err(cause.into());
        }
        loop {
            match self.try_to_connect(deadline).await {
                Err(error) if error.is_short() && Instant::now() + RETRY_INTERVAL < deadline => {
                    sleep(RETRY_INTERVAL).await;
                }
                tried => return tried,
            }
        }
    }

    /// A new connection, asked for once.
    async fn try_to_connect(&self, deadline: Instant) -> Result<Opened> {
        let connected = timeout_at(deadline, self.connector.connect()).await;
        let connected = connected.unwrap_or_else(|_| Err(no_answer(ACQUIRE_TIMEOUT).into()));
        let opened = connected.map_err(|error| self.failed(error))?;
        self.outage.reached();
        Ok(opened)
    }

    /// The most recently used connection, if it is still alive.
    async fn pop_alive(&self) -> Option<IdleConnection> {
        let mut idle = self.idle().connections.pop()?;
        if idle.since.elapsed() < PING_AFTER_IDLE || within(PING_TIMEOUT, idle.opened.connection.ping()).await.is_ok() {
            return Some(idle);
        }
        self.lose();
        None
    }

    /// Counts a connection that is lost, and closes the others.
    pub(super) fn lose(&self) {
        let others = self.renew();
        self.lost.fetch_add(1 + others, Ordering::Relaxed);
    }

    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// Closes every connection, those in use after their use: where one is lost, the others lead to the same place.
    /// Returns how many were idle.
    pub(super) fn renew(&self) -> u64 {
        let mut idle = self.idle();
        idle.renewed_at = Some(Instant::now());
        let closed = std::mem::take(&mut idle.connections);
        u64::try_from(closed.len()).unwrap_or(u64::MAX)
    }

    /// Whether a connection is not used again.
    fn is_outdated(&self, opened: Instant) -> bool {
        self.idle().renewed_at.is_some_and(|renewed_at| opened <= renewed_at)
    }

    pub(super) fn keep(&self, opened: Opened) {
        let now = Instant::now();
        let is_current = !self.is_outdated(opened.at) && now.duration_since(opened.at) < MAX_AGE;
        let mut idle = self.idle();
        if !idle.closed && is_current {
            idle.connections.push(IdleConnection { opened, since: now });
            self.reconnect.notify();
        }
        // Fewer are in use than before.
        if idle.connections.first().is_some_and(|first| now.duration_since(first.since) >= MAX_IDLE) {
            idle.connections.remove(0);
        }
    }

    /// From now on none is kept; those that were are returned.
    pub(super) fn keep_none(&self) -> Vec<IdleConnection> {
        let mut idle = self.idle();
        idle.closed = true;
        std::mem::take(&mut idle.connections)
    }

    /// Keeps a connection once its last statement is answered. As long as the server works on it, as when a commit waits
    /// for a standby, it is waited for, and its permit held: others in its place would pile up on the server.
    pub(super) async fn keep_when_answered(&self, mut opened: Opened, in_transaction: bool, mut limit: Duration) {
        let (process, at) = (opened.process, opened.at);
        let mut answer = std::pin::pin!(async move {
            if in_transaction {
                opened.connection.execute("ROLLBACK").await?;
            } else {
                opened.connection.ping().await?;
            }
            Ok::<_, sqlx::Error>(opened)
        });
        loop {
            match timeout(limit, &mut answer).await {
                Ok(Ok(opened)) => return self.keep(opened),
                Err(_) if self.is_at_work(process, at).await => limit = ANSWER_TIMEOUT,
                Ok(Err(_)) | Err(_) => return self.lose(),
            }
        }
    }

    /// Whether the server, as a new connection reaches it, still works on what it was asked over another one.
    async fn is_at_work(&self, process: i32, opened_at: Instant) -> bool {
        let _one_by_one = self.probe.lock().await;
        if self.is_outdated(opened_at) {
            return false;
        }
        let probe = async {
            let mut probe = self.connector.connect().await?.connection;
            Ok::<bool, StoreError>(sqlx::query_scalar(AT_WORK).bind(process).fetch_one(&mut probe).await?)
        };
        timeout(PROBE_TIMEOUT, probe).await.is_ok_and(|at_work| at_work.unwrap_or(false))
    }

    pub(super) fn failed(&self, error: StoreError) -> StoreError {
        if error.is_away() {
            self.outage.failed(&error);
        }
        error
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock()
    }
}

/// Tries to connect as long as anybody waits. An attempt goes on for longer: of several hosts, the last may answer.
async fn try_again(connections: Arc<Connections>) {
    let _trying = connections.reconnect.trying();
    while connections.reconnect.is_awaited() {
        if let Ok(opened) = connections.try_to_connect(Instant::now() + ACQUIRE_TIMEOUT).await {
            return connections.keep(opened);
        }
        sleep(RETRY_INTERVAL).await;
    }
}

#[cfg(test)]
#[path = "connections_tests.rs"]
mod tests;
