//! PostgreSQL: connections to a server that takes writes, their pool, and a limit on every wait for an answer.

mod answer;
mod connections;
mod connector;
mod hosts;
mod objects;
mod outage;
mod pool;
mod pooled;
mod pooler;
mod reconnect;
mod schema;
mod trigger_text;

use super::dev_accounts::BASE_URL;
use super::error::Result;
use super::migrate::BASE_URL_STEP;
use crate::settings::{DatabaseSettings, DatabaseUrl};
pub(super) use answer::answered;
use connector::Connector;
pub(super) use connector::{READ_ONLY, STANDBY};
pub(super) use pool::PostgresPool;
pub(super) use pooled::PooledConnection;
pub(super) use pooler::REFUSAL as POOLER_REFUSAL;
use secrecy::SecretString;
use std::time::Duration;
use tokio::time::sleep;

/// The server notices the end of a process a moment later.
const GONE_AFTER: Duration = Duration::from_millis(250);
/// How often it is asked before a connection counts as one that stays.
const TRIES: usize = 8;
/// With a role that may not see the names of others' connections, only those of the same role count.
const OTHERS: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = 'doorward' \
                      AND datname = current_database() AND pid <> pg_backend_pid())";

/// Fails if these settings can reach no PostgreSQL database; connects to nothing.
pub(super) fn check(settings: &DatabaseSettings) -> Result<()> {
    match &settings.url {
        DatabaseUrl::Sqlite(_) => Ok(()),
        DatabaseUrl::Postgres(url) => Connector::new(url, settings).map(drop),
    }
}

/// The numbers of the steps of the schema that were taken; changes nothing.
pub(super) async fn taken_steps(url: &SecretString, settings: &DatabaseSettings) -> Result<Vec<i64>> {
    let pool = PostgresPool::new(Connector::new(url, settings)?, settings.pool_max);
    Ok(schema::taken_steps(&mut pool.connect().await?).await?)
}

/// Whether the database is on this machine.
pub(super) fn is_on_this_machine(url: &SecretString, settings: &DatabaseSettings) -> Result<bool> {
    Ok(Connector::new(url, settings)?.is_on_this_machine())
}

/// The base URL that the last start noted; changes nothing.
pub(super) async fn noted_base_url(url: &SecretString, settings: &DatabaseSettings) -> Result<Option<String>> {
    let pool = PostgresPool::new(Connector::new(url, settings)?, settings.pool_max);
    let mut connection = pool.connect().await?;
    if !schema::taken_steps(&mut connection).await?.contains(&BASE_URL_STEP) {
        return Ok(None);
    }
    let noted: Option<Option<String>> = sqlx::query_scalar(BASE_URL).fetch_optional(&mut connection).await?;
    Ok(noted.flatten())
}

/// Triggers, rules and views that the steps of the schema did not make.
pub(super) async fn unexpected_objects(url: &SecretString, settings: &DatabaseSettings) -> Result<Vec<String>> {
    let pool = PostgresPool::new(Connector::new(url, settings)?, settings.pool_max);
    let mut connection = pool.connect().await?;
    let taken = schema::taken_steps(&mut connection).await?;
    objects::unexpected_objects(&mut connection, &taken).await
}

/// Whether another process of Doorward has connections to the database; this one must have none.
pub(super) async fn others_are_connected(url: &SecretString, settings: &DatabaseSettings) -> Result<bool> {
    let mut connection = PostgresPool::new(Connector::new(url, settings)?, settings.pool_max).connect().await?;
    for _ in 0..TRIES {
        if !sqlx::query_scalar::<_, bool>(OTHERS).fetch_one(&mut connection).await? {
            return Ok(false);
        }
        sleep(GONE_AFTER).await;
    }
    Ok(true)
}

/// Connects, and brings the schema up to date.
pub(super) async fn open(url: &SecretString, settings: &DatabaseSettings) -> Result<PostgresPool> {
    let pool = PostgresPool::new(Connector::new(url, settings)?, settings.pool_max);
    pooler::refuse_transaction_mode(&pool).await?;
    schema::bring_up_to_date(&mut pool.connect().await?).await?;
    Ok(pool)
}
