//! Copies of a SQLite file: a consistent one of a database in use, and one that takes a database's place.

use super::options::BUSY_TIMEOUT;
use crate::store::migrate::lock_file;
use crate::store::{Result, StoreError};
use sqlx::sqlite::{SqliteConnectOptions, SqliteLockingMode};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};
use std::ffi::OsString;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// Why a copy was not made.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error(transparent)]
    Unread(#[from] StoreError),
    /// It would have this many bytes at most.
    #[error("{0}")]
    Unwritten(StoreError, u64),
}

/// The size of a copy at most: without the pages that are empty.
const SIZE: &str =
    "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size";
/// What SQLite says when it cannot write: `SQLITE_FULL`, and `SQLITE_IOERR` of a write, a sync and a truncation.
const UNWRITTEN: [&str; 4] = ["13", "778", "1034", "1546"];
/// The primary code of `SQLITE_IOERR`.
const IO_ERROR: u32 = 10;

/// Writes a consistent copy of a database, which may be in use, and verifies it. `copy` must be missing or empty.
pub async fn sqlite_copy(database: &Path, copy: &Path) -> std::result::Result<(), CopyError> {
    let mut connection = read_only(database).connect().await.map_err(unread)?;
    let name = copy.to_str().ok_or_else(|| StoreError::Schema(format!("{}: not UTF-8 text", copy.display())))?;
    let size: i64 = sqlx::query_scalar(SIZE).fetch_one(&mut connection).await.map_err(unread)?;
    // One statement reads the whole database as it is at one moment; writers do not wait for it.
    let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(&mut connection).await;
    connection.close().await.map_err(unread)?;
    if let Err(error) = copied.map_err(StoreError::from) {
        let is_unwritten = error.code_is(|code| UNWRITTEN.contains(&code));
        let size = u64::try_from(size).unwrap_or_default();
        return Err(if is_unwritten { CopyError::Unwritten(error, size) } else { error.into() });
    }
    Ok(sqlite_verify(copy).await?)
}

/// A database in WAL mode cannot be read without the index of its log, a file beside it.
fn unread(error: sqlx::Error) -> StoreError {
    let error = StoreError::from(error);
    if error.code_is(|code| code.parse::<u32>().is_ok_and(|code| code & 0xff == IO_ERROR)) {
        let hint = "SQLite needs 32 kB beside the file to read it: if its disk is full, make room there";
        return StoreError::Schema(format!("{error}; {hint}"));
    }
    error
}

/// Fails unless the file is a sound database of the service.
pub async fn sqlite_verify(file: &Path) -> Result<()> {
    let mut connection = read_only(file).connect().await?;
    let found = problem(&mut connection).await;
    connection.close().await?;
    match found? {
        None => Ok(()),
        Some(problem) => Err(StoreError::Schema(problem)),
    }
}

async fn problem(connection: &mut SqliteConnection) -> Result<Option<String>> {
    let soundness: String = sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(&mut *connection).await?;
    if soundness != "ok" {
        return Ok(Some(format!("the integrity check failed: {soundness}")));
    }
    let dangling = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut *connection).await?;
    if dangling.is_some() {
        return Ok(Some("rows refer to others that are missing".to_owned()));
    }
    let tables = "SELECT count(*) FROM sqlite_master WHERE name IN ('instance', '_sqlx_migrations')";
    let tables: i64 = sqlx::query_scalar(tables).fetch_one(&mut *connection).await?;
    Ok((tables != 2).then(|| "it is no database of Doorward".to_owned()))
}

fn read_only(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY_TIMEOUT)
}

/// A database file that no other process has open, nor can open until this is dropped.
pub struct HeldFile {
    path: PathBuf,
    /// `None` where there is no file, or none that SQLite can read.
    connection: Option<SqliteConnection>,
    /// Held by every process while it opens the database.
    _lock: File,
}

impl HeldFile {
    /// Takes the file at `path`, which may be missing; `None` if it is in use.
    pub async fn take(path: &Path) -> Result<Option<Self>> {
        let lock = lock_file(&path.with_extension("lock")).map_err(|error| failed(path, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(failed(path, &error)),
        }
        let held = |connection| Some(Self { path: path.to_owned(), connection, _lock: lock });
        if !path.exists() {
            return Ok(held(None));
        }
        match open_alone(path).await {
            Ok(connection) => Ok(held(Some(connection))),
            Err(error) if error.is_unavailable() => Ok(None),
            // A damaged file is what a backup is for.
            Err(_) => Ok(held(None)),
        }
    }

    /// Puts another file in its place. Whenever this process ends, one of the two is there, whole.
    pub async fn replace_with(mut self, new: &Path) -> Result<()> {
        // The last connection moves the log into the file: a log must never meet a database that is not its own.
        if let Some(connection) = self.connection.take() {
            connection.close().await?;
        }
        for suffix in ["-wal", "-shm", "-journal"] {
            remove(&beside(&self.path, suffix))?;
        }
        let sync = |path: &Path| File::open(path).and_then(|file| file.sync_all());
        sync(new).map_err(|error| failed(new, &error))?;
        std::fs::rename(new, &self.path).map_err(|error| failed(&self.path, &error))?;
        let directory = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        sync(directory).map_err(|error| failed(directory, &error))
    }
}

/// Moves what is in the log beside a database, which this process has closed, into its file.
pub async fn sqlite_settle(path: &Path) -> Result<()> {
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match open_alone(path).await {
            // The driver's threads end a moment after the store was closed.
            Err(error) if error.is_unavailable() && Instant::now() < deadline => {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            opened => return Ok(opened?.close().await?),
        }
    }
}

/// In exclusive mode, SQLite opens a database with a log only if no other connection has it open.
async fn open_alone(path: &Path) -> Result<SqliteConnection> {
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(Duration::ZERO);
    let mut connection = options.locking_mode(SqliteLockingMode::Exclusive).connect().await?;
    // The first statement takes the lock, and exclusive mode keeps it.
    for statement in ["BEGIN EXCLUSIVE", "COMMIT"] {
        sqlx::query(AssertSqlSafe(statement)).execute(&mut connection).await?;
    }
    Ok(connection)
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(failed(path, &error)),
        _ => Ok(()),
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

fn failed(path: &Path, error: &std::io::Error) -> StoreError {
    StoreError::Schema(format!("{}: {error}", path.display()))
}
