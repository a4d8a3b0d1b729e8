//! How the SQLite file is opened.

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use std::path::Path;
use std::time::Duration;

/// The time a statement waits for another process (the command line beside the service) to end its write.
pub(super) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);
/// The size in bytes that the log beside the file keeps after a burst: four times what it has otherwise.
const LOG_SIZE_LIMIT: &str = "16777216";

/// The options of a connection that may write.
pub(super) fn connect_options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .journal_mode(SqliteJournalMode::Wal)
        // A committed event survives a loss of power.
        .synchronous(SqliteSynchronous::Full)
        .pragma("journal_size_limit", LOG_SIZE_LIMIT)
        .busy_timeout(BUSY_TIMEOUT)
}
