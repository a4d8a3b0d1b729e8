//! Triggers, views and rules of a database that are not those of the schema's steps. They would act with every write, and
//! come with a backup that others could write to.

use super::error::Result;
use super::{postgres, sqlite};
use crate::settings::{DatabaseSettings, DatabaseUrl};

/// Lists objects that no migration created, that differ from what one created, or that are missing, by the migrations that
/// the database has taken. Only reads.
pub async fn unexpected_objects(settings: &DatabaseSettings) -> Result<Vec<String>> {
    match &settings.url {
        DatabaseUrl::Sqlite(path) => sqlite::unexpected_objects(path).await,
        DatabaseUrl::Postgres(url) => postgres::unexpected_objects(url, settings).await,
    }
}

/// Whether another process of Doorward, the service or a command, has a PostgreSQL database open; this one must not. A
/// SQLite file is held instead ([`super::HeldFile`]).
pub async fn others_are_connected(settings: &DatabaseSettings) -> Result<bool> {
    match &settings.url {
        DatabaseUrl::Sqlite(_) => Ok(false),
        DatabaseUrl::Postgres(url) => postgres::others_are_connected(url, settings).await,
    }
}
