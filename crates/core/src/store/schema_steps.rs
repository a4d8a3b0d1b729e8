//! The steps of the schema that a database has taken. Only reads.

use super::error::{Result, StoreError};
use super::migrate::STEPS;
use super::{postgres, sqlite};
use crate::settings::{DatabaseSettings, DatabaseUrl, SchemaUpdate};
use serde::Serialize;

#[derive(Clone, Copy, Debug, Serialize)]
pub struct SchemaStep {
    pub description: &'static str,
    /// Its number; steps are taken in this order.
    pub number: i64,
}

#[derive(Clone, Copy, Debug, Serialize)]
pub struct StepState {
    #[serde(flatten)]
    pub step: SchemaStep,
    #[serde(rename = "taken")]
    pub is_taken: bool,
}

/// Every step of this version. A SQLite file that is missing has taken none.
pub async fn schema_steps(settings: &DatabaseSettings) -> Result<Vec<StepState>> {
    let taken = match &settings.url {
        DatabaseUrl::Sqlite(path) => sqlite::taken_steps(path).await?,
        DatabaseUrl::Postgres(url) => postgres::taken_steps(url, settings).await?,
    };
    let step = |&(number, description, ..): &(i64, &'static str, _, _)| StepState {
        step: SchemaStep { description, number },
        is_taken: taken.contains(&number),
    };
    Ok(STEPS.iter().map(step).collect())
}

/// Whether the database is on this machine: a file, a socket, or a server at a loopback address.
pub fn is_on_this_machine(settings: &DatabaseSettings) -> Result<bool> {
    match &settings.url {
        DatabaseUrl::Sqlite(_) => Ok(true),
        DatabaseUrl::Postgres(url) => postgres::is_on_this_machine(url, settings),
    }
}

/// The base URL of the service that started last on a database of any schema, which is not changed; `None` before the
/// first start.
pub async fn noted_base_url(settings: &DatabaseSettings) -> Result<Option<String>> {
    match &settings.url {
        DatabaseUrl::Sqlite(path) => sqlite::noted_base_url(path).await,
        DatabaseUrl::Postgres(url) => postgres::noted_base_url(url, settings).await,
    }
}

/// Fails if steps are missing that may not be taken.
pub(super) async fn require_current(settings: &DatabaseSettings) -> Result<()> {
    if settings.schema_update == SchemaUpdate::Any {
        return Ok(());
    }
    match schema_steps(settings).await?.iter().filter(|step| !step.is_taken).count() {
        0 => Ok(()),
        missing => Err(StoreError::OldSchema(missing)),
    }
}
