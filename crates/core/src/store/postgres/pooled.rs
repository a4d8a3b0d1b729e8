//! A PostgreSQL connection in use.

use super::answer::{ANSWER_TIMEOUT, answered};
use super::connections::Connections;
use super::connector::Opened;
use crate::store::error::Result;
use sqlx::{Executor, PgConnection};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

pub(in crate::store) struct PooledConnection {
    /// `None` only while it is dropped.
    opened: Option<Opened>,
    state: ConnectionState,
    /// When the last statement was sent, if it was not answered yet.
    waiting_since: Option<Instant>,
    connections: Arc<Connections>,
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
    /// A connection for one use, with the permit for it.
    pub(super) fn new(opened: Opened, connections: Arc<Connections>, permit: OwnedSemaphorePermit) -> Self {
        let (opened, state, permit) = (Some(opened), ConnectionState::Ready, Some(permit));
        Self { opened, state, waiting_since: None, connections, permit }
    }

    /// The connection for a statement of [`answered`], whose result goes to [`PooledConnection::settle`].
    pub(in crate::store) fn connection(&mut self) -> sqlx::Result<&mut PgConnection> {
        if self.state == ConnectionState::Ready {
            self.state = ConnectionState::Busy;
        }
        self.waiting_since = Some(Instant::now());
        self.opened.as_mut().map(|opened| &mut opened.connection).ok_or(sqlx::Error::PoolClosed)
    }

    /// Records what the server has answered to the last statement.
    pub(in crate::store) fn settle<T>(&mut self, result: sqlx::Result<T>) -> Result<T> {
        match result {
            Ok(value) => {
                self.waiting_since = None;
                self.connections.outage.answered();
                if self.state == ConnectionState::Busy {
                    self.state = ConnectionState::Ready;
                }
                Ok(value)
            }
            Err(error) => {
                let error = self.connections.failed(error.into());
                if !error.is_unanswered() {
                    self.waiting_since = None;
                    if error.is_lost() {
                        self.lost();
                    }
                }
                Err(error)
            }
        }
    }

    /// Closes the connection after its use, and those beside it.
    pub(in crate::store) fn lost(&mut self) {
        self.state = ConnectionState::Lost;
        self.connections.lose();
    }

    /// Opens a transaction by this text; dropped before its commit, it is rolled back.
    pub(super) async fn begin(mut self, statement: &'static str) -> Result<Self> {
        self.state = ConnectionState::InTransaction;
        let begun = answered(self.connection()?.execute(statement)).await;
        self.settle(begun)?;
        Ok(self)
    }

    pub(in crate::store) async fn commit(self) -> Result<()> {
        self.end("COMMIT").await
    }

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
        let Some(opened) = self.opened.take() else { return };
        let in_transaction = match self.state {
            ConnectionState::Ready => return self.connections.keep(opened),
            ConnectionState::Lost => return,
            ConnectionState::Busy => false,
            ConnectionState::InTransaction => true,
        };
        // Without a runtime it is closed at once; PostgreSQL then rolls back by itself.
        let Ok(runtime) = Handle::try_current() else { return };
        let (connections, permit) = (self.connections.clone(), self.permit.take());
        let waited = self.waiting_since.map_or(Duration::ZERO, |since| since.elapsed());
        runtime.spawn(async move {
            let _permit = permit;
            connections.keep_when_answered(opened, in_transaction, ANSWER_TIMEOUT.saturating_sub(waited)).await;
        });
    }
}
