//! The reader of the change feed: a position, and on PostgreSQL the one connection that it was read over.

use super::cursor::{ChangeCursor, PolledChanges};
use super::polls::{poll_postgres, poll_sqlite};
use crate::store::Result;
use crate::store::postgres::PostgresPool;
use crate::store::sqlite::Inline;
use sqlx::PgConnection;
use std::time::Duration;
use tokio::time::Instant;

/// Minimum age before a connection is replaced on suspicion of a failover; replacing it empties the session cache.
const MIN_AGE: Duration = Duration::from_secs(1);

/// Reads the feed. A position is never carried over to another connection, which may lead to another server, or to the
/// same one after a crash that lost its last commits.
#[derive(Default)]
pub(in crate::store) struct FeedReader {
    cursor: Option<ChangeCursor>,
    connection: Option<FeedConnection>,
}

impl FeedReader {
    /// What was committed since the last poll. If it fails or is dropped half-way, the next one begins again.
    pub(in crate::store) fn poll_sqlite(&mut self, inline: &Inline) -> Result<PolledChanges> {
        let polled = poll_sqlite(inline, self.cursor.take().as_ref())?;
        self.cursor = Some(polled.cursor.clone());
        Ok(polled)
    }

    pub(in crate::store) async fn poll_postgres(&mut self, pool: &PostgresPool) -> Result<PolledChanges> {
        let (mut connection, cursor) = match self.connection.take() {
            Some(connection) => (connection, self.cursor.take()),
            None => (FeedConnection { connection: pool.connect().await?, opened_at: Instant::now() }, None),
        };
        let polled = poll_postgres(&mut connection.connection, cursor.as_ref()).await?;
        self.connection = Some(connection);
        self.cursor = Some(polled.cursor.clone());
        Ok(polled)
    }

    /// Closes the connection unless it is new; returns whether the next poll opens another.
    pub(in crate::store) fn doubt(&mut self) -> bool {
        let is_old = self.connection.as_ref().is_some_and(|connection| connection.opened_at.elapsed() >= MIN_AGE);
        if is_old {
            self.close();
        }
        is_old
    }

    pub(in crate::store) fn close(&mut self) {
        self.connection = None;
    }
}

/// A connection that is closed when it is dropped, in the middle of a statement too, and is not of the pool.
struct FeedConnection {
    connection: PgConnection,
    opened_at: Instant,
}
