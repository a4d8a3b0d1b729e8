//! Brings the schema up to date at start, under a lock, so that any number of processes may start at once. A new database
//! gets it whole, an old one gets the steps that it lacks; `new_database::` in the tests holds both alike.
//!
//! A step that the binary does not know is ignored: the previous version must start on the newer schema. So each step
//! must be safe while the previous version runs: expand first, contract in a later version.

use super::error::StoreError;
use super::sql::Sql;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqlSafeStr, SqliteConnection};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

macro_rules! step {
    ($version:literal, $description:literal, $file:literal) => {
        (
            $version,
            $description,
            include_str!(concat!("../../migrations/sqlite/", $file, ".sql")),
            include_str!(concat!("../../migrations/postgres/", $file, ".sql")),
        )
    };
}

/// Version, description, SQLite, PostgreSQL.
pub(super) const STEPS: &[(i64, &str, &str, &str)] = &[
    step!(1, "users, sessions, outbox", "0001_users_sessions_outbox"),
    step!(2, "invitations", "0002_invitations"),
    step!(3, "mail", "0003_mail"),
    step!(4, "account", "0004_account"),
    step!(5, "the end of invitations", "0005_invitations_end"),
    step!(6, "session changes", "0006_session_changes"),
    step!(7, "two-factor log-in", "0007_two_factor"),
    step!(8, "passkeys", "0008_passkeys"),
    step!(9, "account tokens", "0009_account_tokens"),
    step!(10, "limits", "0010_limits"),
    step!(11, "requests for new passwords", "0011_reset_requests"),
    step!(152, "wrong codes by address and network", "0152_code_failures"),
    step!(153, "limits are logged", "0153_limits_logged"),
    step!(170, "settings of the processes", "0170_settings_of_processes"),
    step!(180, "signing keys for ES256", "0180_es256_signing_keys"),
    step!(181, "languages of accounts", "0181_languages"),
    step!(182, "addresses beyond ASCII", "0182_addresses_beyond_ascii"),
    step!(200, "what sessions show", "0200_what_sessions_show"),
    step!(210, "API keys", "0210_api_keys"),
    step!(212, "details of users", "0212_details_of_users"),
    step!(214, "repeated requests of backends", "0214_idempotency"),
    step!(216, "lists of organizations", "0216_lists_of_organizations"),
    step!(220, "nonces of the doctor", "0220_doctor_nonces"),
    step!(223, "the link for the first administrator", "0223_setup_links"),
    step!(225, "factors that were lost with the secret key", "0225_lost_factors"),
    step!(226, "names of organizations", "0226_names_of_organizations"),
    step!(227, "sessions for developers", "0227_dev_sessions"),
    step!(240, "traces of events", "0240_traces_of_events"),
    step!(400, "columns of audit", "0400_columns_of_audit"),
    step!(500, "names of users", "0500_names_of_users"),
    step!(600, "renamed organizations", "0600_renamed_organizations"),
    step!(720, "taken development accounts", "0720_taken_dev_accounts"),
    step!(800, "providers", "0800_providers"),
    step!(810, "logins with providers", "0810_logins_with_providers"),
    step!(900, "words of users", "0900_words_of_users"),
    step!(910, "hourly counts", "0910_hourly_counts"),
    step!(920, "jobs", "0920_jobs"),
    step!(930, "lists of audit", "0930_lists_of_audit"),
    step!(931, "kinds of audit", "0931_kinds_of_audit"),
    step!(1100, "order of events", "1100_order_of_events"),
    step!(1110, "time of backup", "1110_time_of_backup"),
    step!(1120, "processes that run", "1120_processes"),
    step!(1200, "failures by name", "1200_failures_by_name"),
    step!(1210, "kept usernames", "1210_kept_usernames"),
    step!(1220, "keys of organizations", "1220_keys_of_organizations"),
    step!(1230, "urgent emails", "1230_urgent_emails"),
    step!(1300, "names that sessions show", "1300_names_of_sessions"),
    step!(1310, "ids of applications", "1310_external_ids"),
];

/// What all steps make together: SQLite, PostgreSQL. `DOORWARD_BLESS=1 cargo test --test it new_database` writes it.
pub(super) const SCHEMA: Sql = Sql {
    sqlite: include_str!("../../migrations/sqlite/schema.sql"),
    postgres: include_str!("../../migrations/postgres/schema.sql"),
};
/// The step since which a start notes the base URL.
pub(super) const BASE_URL_STEP: i64 = 227;
/// The numbers of the steps that were taken.
pub(super) const TAKEN: &str = "SELECT version FROM _sqlx_migrations WHERE success";

pub(super) fn migrator(pick: impl Fn(&(i64, &'static str, &'static str, &'static str)) -> &'static str) -> Migrator {
    let steps = STEPS
        .iter()
        .map(|step| Migration::new(step.0, step.1.into(), MigrationType::Simple, pick(step).into_sql_str(), false));
    let mut migrator = Migrator::with_migrations(steps.collect());
    migrator.set_ignore_missing(true);
    migrator
}

/// Records every step as taken in a new database, beside the schema that they make together.
pub(super) async fn record_all(connection: &mut impl Migrate, migrator: &Migrator) -> Result<(), MigrateError> {
    connection.ensure_migrations_table(&migrator.table_name).await?;
    for step in migrator.iter() {
        connection.skip(&migrator.table_name, step).await?;
    }
    Ok(())
}

/// The file by which processes exclude each other, for this user only, as all files of the database.
pub(super) fn lock_file(path: &Path) -> std::io::Result<File> {
    OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(path)
}

pub(super) async fn sqlite(options: &SqliteConnectOptions) -> super::Result<()> {
    // The driver's own lock does nothing on SQLite; a lock on a file beside the database ends with its process.
    let lock_path = options.get_filename().with_extension("lock");
    let lock = tokio::task::spawn_blocking(move || {
        let file = lock_file(&lock_path)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    })
    .await
    .map_err(|error| StoreError::Schema(error.to_string()))?
    .map_err(|error| StoreError::Schema(format!("the lock file beside the database: {error}")))?;
    let mut connection = options.connect().await?;
    let outcome = bring_up_to_date(&mut connection).await;
    connection.close().await?;
    drop(lock);
    outcome.map_err(|error| StoreError::Schema(format!("the schema could not be brought up to date: {error}")))
}

async fn bring_up_to_date(connection: &mut SqliteConnection) -> Result<(), MigrateError> {
    let migrator = migrator(|step| step.2);
    let has_table = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = '_sqlx_migrations')";
    if sqlx::query_scalar(has_table).fetch_one(&mut *connection).await? {
        return migrator.run(connection).await;
    }
    let mut tx = connection.begin().await?;
    record_all(&mut *tx, &migrator).await?;
    sqlx::raw_sql(SCHEMA.sqlite).execute(&mut *tx).await?;
    Ok(tx.commit().await?)
}
