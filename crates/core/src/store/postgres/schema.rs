//! Brings the schema of PostgreSQL up to date, step by step.

use crate::store::error::{Result, StoreError};
use crate::store::migrate;
use sqlx::error::DatabaseError;
use sqlx::migrate::{Migrate, MigrateError, Migration, Migrator};
use sqlx::{Connection, Executor, PgConnection};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// The lock under which one process at a time brings a schema up to date.
const LOCK: i64 = 0x646f_6f72_7761_7264;
/// Statements take what time they need, but none waits long for a lock: everything else would wait behind it.
const LIMITS: &str = "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '2s'";
/// The pause after a lock was not to be had.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// A step that took longer has a line in the log for its end, too.
const LONG: Duration = Duration::from_secs(1);
/// The duration for which locks are asked for.
const GIVE_UP_AFTER: Duration = Duration::from_mins(10);
/// A server that is lost without a word would otherwise be waited for without an end.
const STEP_TIMEOUT: Duration = Duration::from_hours(12);

/// Changes the settings of the connection. A schema that is up to date takes no lock.
pub(super) async fn bring_up_to_date(connection: &mut PgConnection) -> Result<()> {
    let migrator = migrate::migrator(|step| step.3);
    let failed = |error| StoreError::Schema(format!("the schema could not be brought up to date: {error}"));
    if missing(connection, &migrator).await.map_err(failed)?.is_none() {
        return Ok(());
    }
    connection.execute(LIMITS).await?;
    let started = Instant::now();
    loop {
        match timeout(STEP_TIMEOUT, next_step(connection, &migrator)).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => return Ok(()),
            Ok(Err(error)) if waits_for_lock(&error) && started.elapsed() < GIVE_UP_AFTER => {
                tracing::warn!(target: "doorward::store::postgres::schema", "the schema waits for a lock that another process or transaction holds");
                sleep(RETRY_INTERVAL).await;
            }
            Ok(Err(error)) => return Err(failed(error)),
            Err(_) => return Err(StoreError::Away("a step of the schema was not answered".to_owned())),
        }
    }
}

/// The numbers of the steps that were taken.
pub(super) async fn taken_steps(connection: &mut PgConnection) -> sqlx::Result<Vec<i64>> {
    if !has_table(connection, &migrate::migrator(|step| step.3)).await? {
        return Ok(Vec::new());
    }
    sqlx::query_scalar(migrate::TAKEN).fetch_all(connection).await
}

/// Takes the next step, or all at once in a new database, in one transaction with its lock and its record; returns whether
/// there was one.
async fn next_step(connection: &mut PgConnection, migrator: &Migrator) -> std::result::Result<bool, MigrateError> {
    let mut tx = connection.begin().await?;
    // Ends with the transaction, so that no pooler can leave it behind.
    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(LOCK).execute(&mut *tx).await?;
    let step = match missing(&mut tx, migrator).await? {
        None => return Ok(false),
        Some(Missing::All) => {
            tracing::info!(target: "doorward::store::postgres::schema", "schema: made in an empty database");
            migrate::record_all(&mut *tx, migrator).await?;
            sqlx::raw_sql(migrate::SCHEMA.postgres).execute(&mut *tx).await?;
            tx.commit().await?;
            return Ok(true);
        }
        Some(Missing::Step(step)) => step,
    };
    let (number, what) = (step.version, &*step.description);
    tracing::info!(target: "doorward::store::postgres::schema", "schema: step {number}, {what}");
    let elapsed = tx.apply(&migrator.table_name, step).await?;
    tx.commit().await?;
    if elapsed >= LONG {
        tracing::info!(target: "doorward::store::postgres::schema", "schema: step {number} took {} s", elapsed.as_secs());
    }
    Ok(true)
}

enum Missing<'a> {
    /// The database is new.
    All,
    /// The first step that was not taken yet.
    Step(&'a Migration),
}

async fn missing<'a>(
    connection: &mut PgConnection,
    migrator: &'a Migrator,
) -> std::result::Result<Option<Missing<'a>>, MigrateError> {
    if !has_table(connection, migrator).await? {
        return Ok(Some(Missing::All));
    }
    let taken = connection.list_applied_migrations(&migrator.table_name).await?;
    for step in migrator.iter() {
        match taken.iter().find(|taken| taken.version == step.version) {
            None => return Ok(Some(Missing::Step(step))),
            Some(taken) if taken.checksum != step.checksum => return Err(MigrateError::VersionMismatch(step.version)),
            Some(_) => {}
        }
    }
    Ok(None)
}

/// Whether any step was ever taken.
async fn has_table(connection: &mut PgConnection, migrator: &Migrator) -> sqlx::Result<bool> {
    // Not `to_regclass`, which may answer from what the server's process knew before it waited for the lock.
    let table = sqlx::query_scalar(
        "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_class WHERE relname = $1 AND pg_table_is_visible(oid))",
    )
    .bind(&*migrator.table_name);
    table.fetch_one(connection).await
}

fn waits_for_lock(error: &MigrateError) -> bool {
    let (MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _)) = error else { return false };
    let code = error.as_database_error().and_then(DatabaseError::code);
    code.is_some_and(|code| ["55P03", "40P01"].contains(&&*code))
}
