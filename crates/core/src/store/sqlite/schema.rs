//! What a SQLite file has of the schema: the steps that were taken, and triggers and views.

use super::options::BUSY_TIMEOUT;
use crate::store::Result;
use crate::store::dev_accounts::BASE_URL;
use crate::store::migrate::{BASE_URL_STEP, TAKEN};
use crate::store::object_diff::{Objects, differences, texts_of};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::path::Path;

/// Everything but tables and indexes, by the text, whose beginning SQLite writes itself: what a backup says in the column
/// `type` need not be true.
const OBJECTS: &str = "SELECT CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_schema WHERE sql IS NOT NULL \
    AND NOT (CAST(sql AS TEXT) GLOB 'CREATE TABLE *' OR CAST(sql AS TEXT) GLOB 'CREATE INDEX *' \
        OR CAST(sql AS TEXT) GLOB 'CREATE UNIQUE INDEX *')";

/// Opens a file without a journal mode: to change it would be a write, and a backup has another one. Where no process has
/// the file open, SQLite would still leave a write-ahead log beside it.
fn unchanged(path: &Path) -> SqliteConnectOptions {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let is_closed = !Path::new(&log).exists();
    SqliteConnectOptions::new().filename(path).read_only(true).immutable(is_closed).busy_timeout(BUSY_TIMEOUT)
}

/// The numbers of the steps that were taken; changes nothing. None without a file.
pub(in crate::store) async fn taken_steps(path: &Path) -> Result<Vec<i64>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let mut connection = unchanged(path).connect().await?;
    let table = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '_sqlx_migrations')";
    let has_table: bool = sqlx::query_scalar(table).fetch_one(&mut connection).await?;
    let taken = if has_table { sqlx::query_scalar(TAKEN).fetch_all(&mut connection).await? } else { Vec::new() };
    connection.close().await?;
    Ok(taken)
}

/// The base URL that the last start noted; changes nothing.
pub(in crate::store) async fn noted_base_url(path: &Path) -> Result<Option<String>> {
    if !taken_steps(path).await?.contains(&BASE_URL_STEP) {
        return Ok(None);
    }
    let mut connection = unchanged(path).connect().await?;
    let noted: Option<Option<String>> = sqlx::query_scalar(BASE_URL).fetch_optional(&mut connection).await?;
    connection.close().await?;
    Ok(noted.flatten())
}

/// The triggers and views that the file's steps did not make. The same steps are taken in memory, to compare the texts.
pub(in crate::store) async fn unexpected_objects(path: &Path) -> Result<Vec<String>> {
    let taken = taken_steps(path).await?;
    let mut own = SqliteConnectOptions::new().in_memory(true).connect().await?;
    for text in texts_of(&taken, |step| step.2) {
        sqlx::raw_sql(text).execute(&mut own).await?;
    }
    let options = SqliteConnectOptions::new().filename(path).read_only(true).busy_timeout(BUSY_TIMEOUT);
    let mut file = options.connect().await?;
    let (expected, found) = (objects(&mut own).await?, objects(&mut file).await?);
    own.close().await?;
    file.close().await?;
    Ok(differences(&expected, &found))
}

/// By name; several of one name together.
async fn objects(connection: &mut SqliteConnection) -> Result<Objects> {
    let rows: Vec<(String, String)> = sqlx::query_as(OBJECTS).fetch_all(connection).await?;
    let mut objects = Objects::new();
    for (name, text) in rows {
        let object = objects.entry(name).or_default();
        object.push_str(&text);
        object.push('\n');
    }
    Ok(objects)
}
