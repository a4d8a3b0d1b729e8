//! SQLite: one writer whose durable commit concurrent transactions share, a pool of readers, and an inline reader.

mod inline;
mod turn;
mod writer;

pub(super) use inline::Inline;
pub(super) use turn::Turn;
use turn::Work;

use super::{Result, StoreError, migrate};
use sqlx::SqlitePool;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use writer::Writer;

/// How long a statement waits for another process (the command line beside the service) to end its write.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
const READERS: u32 = 4;

/// An open SQLite file.
#[derive(Clone)]
pub(super) struct Database {
    writer: Arc<Writer>,
    readers: SqlitePool,
    inline: Arc<Inline>,
}

impl Database {
    pub(super) async fn open(path: &Path) -> Result<Self> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A committed event survives a loss of power.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(BUSY_TIMEOUT);
        create_private(path).map_err(|error| StoreError::Schema(format!("{}: {error}", path.display())))?;
        migrate::sqlite(&options).await?;
        let writer = Writer::open(options.clone()).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .test_before_acquire(false)
            .connect_with(options.read_only(true).create_if_missing(false))
            .await?;
        let inline = Arc::new(Inline::new(path));
        Ok(Self { writer, readers, inline })
    }

    pub(super) async fn reader(&self) -> Result<PoolConnection<sqlx::Sqlite>> {
        Ok(self.readers.acquire().await?)
    }

    pub(super) fn inline(&self) -> &Inline {
        &self.inline
    }

    pub(super) async fn turn(&self) -> Result<Turn> {
        Turn::begin(&self.writer, Work::Several).await
    }

    pub(super) async fn single_turn(&self) -> Result<Turn> {
        Turn::begin(&self.writer, Work::Single).await
    }

    pub(super) async fn lease_turn(&self) -> Result<Turn> {
        Turn::begin(&self.writer, Work::Lease).await
    }

    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Makes a missing file for the service's user alone; SQLite gives the files beside it the same mode.
fn create_private(path: &Path) -> std::io::Result<()> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).map(drop)
}

/// Whether SQLite may have rolled the whole transaction back with this error (its documentation names FULL, IOERR,
/// NOMEM, BUSY and INTERRUPT); an error that cannot be told apart counts as such.
pub(super) fn ends_transaction(error: &sqlx::Error) -> bool {
    /// Primary result codes that undo the failed statement only: ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE.
    const STATEMENT_ONLY: [u32; 5] = [1, 18, 19, 20, 25];
    match error {
        sqlx::Error::Database(database) => !database
            .code()
            .and_then(|code| code.parse::<u32>().ok())
            .is_some_and(|code| STATEMENT_ONLY.contains(&(code & 0xff))),
        sqlx::Error::RowNotFound | sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => false,
        _ => true,
    }
}

fn not_committed(error: &sqlx::Error) -> StoreError {
    StoreError::NotCommitted(error.to_string())
}
