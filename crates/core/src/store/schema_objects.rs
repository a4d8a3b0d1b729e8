//! Triggers, views and rules of a database that are not those of the schema's steps. They would act with every write, and
//! come with a backup that others could write to.

use super::error::Result;
use super::migrate::STEPS;
use super::{postgres, sqlite};
use crate::settings::{DatabaseSettings, DatabaseUrl};
use std::collections::BTreeMap;

/// What an object is by: its table and text, or more.
pub(super) type Objects = BTreeMap<String, String>;

/// Names those that no step of the schema makes, that are not as the steps make them, or that are missing, by the steps
/// that the database has taken. Only reads.
pub async fn strange_objects(settings: &DatabaseSettings) -> Result<Vec<String>> {
    match &settings.url {
        DatabaseUrl::Sqlite(path) => sqlite::strange_objects(path).await,
        DatabaseUrl::Postgres(url) => postgres::strange_objects(url, settings).await,
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

/// The texts of the steps that were taken, in their order. Of a later version's steps nothing is known.
pub(super) fn texts_of(
    taken: &[i64],
    pick: impl Fn(&(i64, &str, &'static str, &'static str)) -> &'static str,
) -> Vec<&'static str> {
    STEPS.iter().filter(|step| taken.contains(&step.0)).map(pick).collect()
}

pub(super) fn differences(expected: &Objects, found: &Objects) -> Vec<String> {
    let strange = found.iter().filter_map(|(name, object)| match expected.get(name) {
        None => Some(name.clone()),
        Some(own) if own != object => Some(format!("{name} (changed)")),
        Some(_) => None,
    });
    let missing = expected.keys().filter(|name| !found.contains_key(*name)).map(|name| format!("{name} (missing)"));
    strange.chain(missing).collect()
}
