//! The connections of one process to an SQLite file.

use super::inline::Inline;
use super::options::connect_options;
use super::write_tx::{WriteMode, WriteTx};
use super::writer::Writer;
use crate::store::status::ConnectionUse;
use crate::store::{Result, StoreError, migrate};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::SqlitePoolOptions;
use sqlx::{Sqlite, SqlitePool};
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;

const READERS: u32 = 4;

#[derive(Clone)]
pub(in crate::store) struct SqliteDatabase {
    writer: Arc<Writer>,
    readers: SqlitePool,
    inline: Arc<Inline>,
}

impl SqliteDatabase {
    pub(in crate::store) async fn open(path: &Path) -> Result<Self> {
        let options = connect_options(path);
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

    pub(in crate::store) async fn reader(&self) -> Result<PoolConnection<Sqlite>> {
        Ok(self.readers.acquire().await?)
    }

    pub(in crate::store) fn inline(&self) -> &Inline {
        &self.inline
    }

    pub(in crate::store) async fn begin(&self) -> Result<WriteTx> {
        WriteTx::begin(&self.writer, WriteMode::Several).await
    }

    pub(in crate::store) async fn begin_autocommit(&self) -> Result<WriteTx> {
        WriteTx::begin(&self.writer, WriteMode::Autocommit).await
    }

    pub(in crate::store) async fn begin_lease(&self) -> Result<WriteTx> {
        WriteTx::begin(&self.writer, WriteMode::Lease).await
    }

    pub(in crate::store) fn connection_use(&self) -> ConnectionUse {
        let readers = usize::try_from(self.readers.size()).unwrap_or(0).saturating_sub(self.readers.num_idle());
        let (writers, waiting) = self.writer.in_use_and_waiting();
        let limit = usize::try_from(READERS).unwrap_or(0) + 1;
        ConnectionUse { limit, in_use: readers + writers, waiting, ..ConnectionUse::default() }
    }

    pub(in crate::store) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Creates a missing file with access for the service's user only; SQLite gives the files beside it the same mode.
///
/// A file that exists is not opened: to close it would release the locks of every connection that this process has to it
/// (fcntl(2)).
fn create_private(path: &Path) -> std::io::Result<()> {
    if path.try_exists()? {
        return Ok(());
    }
    OpenOptions::new().create(true).append(true).mode(0o600).open(path).map(drop)
}
