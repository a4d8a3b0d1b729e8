//! Triggers and views of a SQLite file.

use super::options::BUSY_TIMEOUT;
use super::schema::taken_steps;
use crate::store::Result;
use crate::store::schema_objects::{Objects, differences, texts_of};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use std::path::Path;

/// Everything but tables and indexes, by the text, whose beginning SQLite writes itself: what a backup says in the column
/// `type` need not be true.
const OBJECTS: &str = "SELECT CAST(name AS TEXT), CAST(sql AS TEXT) FROM sqlite_schema WHERE sql IS NOT NULL \
    AND NOT (CAST(sql AS TEXT) GLOB 'CREATE TABLE *' OR CAST(sql AS TEXT) GLOB 'CREATE INDEX *' \
        OR CAST(sql AS TEXT) GLOB 'CREATE UNIQUE INDEX *')";

/// Those that the file's steps did not make. The same steps are taken in memory, to compare the texts.
pub(in crate::store) async fn strange_objects(path: &Path) -> Result<Vec<String>> {
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
