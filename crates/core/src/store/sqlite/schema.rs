//! Reads which steps of the schema a SQLite file has taken.

use super::options::BUSY_TIMEOUT;
use crate::store::Result;
use crate::store::migrate::TAKEN;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use std::path::Path;

/// The numbers of the steps that were taken; changes nothing. None without a file.
pub(in crate::store) async fn taken_steps(path: &Path) -> Result<Vec<i64>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    // Without a journal mode: to change it would be a write, and a backup has another one.
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY_TIMEOUT);
    let mut connection = options.connect().await?;
    let table = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_sqlx_migrations')";
    let has_table: bool = sqlx::query_scalar(table).fetch_one(&mut connection).await?;
    let taken = if has_table { sqlx::query_scalar(TAKEN).fetch_all(&mut connection).await? } else { Vec::new() };
    connection.close().await?;
    Ok(taken)
}
