//! Whether the pages of a SQLite file are sound, table by table.

use super::options::BUSY_TIMEOUT;
use crate::store::{Result, StoreError};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::task::{JoinError, spawn_blocking};
use tokio::time::{Instant, timeout};

/// How often an examination is interrupted that does not end: one may have begun its next table just then.
const INTERRUPT_INTERVAL: Duration = Duration::from_millis(20);

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Soundness {
    /// The tables that were examined, with their indexes.
    pub examined: usize,
    /// Those for which there was no time.
    pub left_out: usize,
    /// The tables with damage, each with what SQLite says of it.
    pub damaged: Vec<(String, String)>,
}

/// Examines a file that may be in use, for at most this time. Writers do not wait for it.
pub async fn sqlite_soundness(file: &Path, time: Duration) -> Result<Soundness> {
    let (deadline, file) = (Instant::now() + time, file.to_owned());
    let connection = spawn_blocking(move || open(&file)).await.map_err(|error| lost(&error))??;
    let interrupt = connection.get_interrupt_handle();
    let mut examination = spawn_blocking(move || examine(&connection, deadline));
    let mut wait = time;
    loop {
        match timeout(wait, &mut examination).await {
            Ok(ended) => return Ok(ended.map_err(|error| lost(&error))??),
            Err(_) => interrupt.interrupt(),
        }
        wait = INTERRUPT_INTERVAL;
    }
}

fn open(file: &PathBuf) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

fn examine(connection: &Connection, deadline: Instant) -> rusqlite::Result<Soundness> {
    let mut names = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")?;
    let names: Vec<String> = names.query_map((), |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let mut found = Soundness::default();
    for table in names {
        if Instant::now() >= deadline {
            found.left_out += 1;
            continue;
        }
        match damage(connection, &table) {
            Ok(damage) => {
                found.examined += 1;
                found.damaged.extend(damage.map(|damage| (table, damage)));
            }
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => found.left_out += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

/// What is wrong with a table or its indexes.
fn damage(connection: &Connection, table: &str) -> rusqlite::Result<Option<String>> {
    let check = "SELECT quick_check FROM pragma_quick_check(?1) LIMIT 1";
    let said = connection.prepare_cached(check)?.query_one((table,), |row| row.get::<_, String>(0));
    match said {
        Ok(said) if said == "ok" => Ok(None),
        // The line before names the database, of which there is one.
        Ok(said) => Ok(Some(said.lines().last().unwrap_or_default().to_owned())),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseCorrupt) => Ok(Some(error.to_string())),
        Err(error) => Err(error),
    }
}

/// A thread that panicked, which none has a way to.
fn lost(error: &JoinError) -> StoreError {
    StoreError::Schema(error.to_string())
}
