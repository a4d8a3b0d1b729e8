//! Short reads on the calling thread: an inline prepared statement costs about 3 µs, one on the driver's thread about
//! 55 µs, and every authenticated request may need such a read.

use super::options::BUSY_TIMEOUT;
use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags, Params, Row};
use std::path::{Path, PathBuf};

/// A small pool of read-only connections.
pub(in crate::store) struct Inline {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
}

/// Connections beyond this number are closed after use.
const MAX_IDLE: usize = 16;

impl Inline {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), idle: Mutex::new(Vec::new()) }
    }

    /// The first row of a query that is answered from an index, if there is one.
    pub(in crate::store) fn first<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Option<T>> {
        let connection = self.take()?;
        let row = match connection.prepare_cached(sql)?.query_one(params, read) {
            Ok(row) => Ok(Some(row)),
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            Err(error) => return Err(error),
        };
        self.release(connection);
        row
    }

    /// Every row of a query that is answered from an index and returns few.
    pub(in crate::store) fn all<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<Vec<T>> {
        let connection = self.take()?;
        let rows = connection.prepare_cached(sql)?.query_map(params, read)?.collect::<rusqlite::Result<_>>()?;
        self.release(connection);
        Ok(rows)
    }

    fn take(&self) -> rusqlite::Result<Connection> {
        let idle = self.idle.lock().pop();
        idle.map_or_else(|| self.connect(), Ok)
    }

    fn release(&self, connection: Connection) {
        let mut idle = self.idle.lock();
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
    }

    fn connect(&self) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.path, flags)?;
        // In WAL mode readers never wait for the writer, only for a recovery of the log.
        connection.busy_timeout(BUSY_TIMEOUT)?;
        Ok(connection)
    }
}
