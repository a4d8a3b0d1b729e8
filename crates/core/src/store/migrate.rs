//! Brings the schema up to date at start, under a lock, so that any number of processes may start at once.
//!
//! A step that the binary does not know is ignored: the previous version must start on the newer schema. So each step
//! must be safe while the previous version runs: expand first, contract in a later version.

use super::error::{Result, StoreError};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqlSafeStr};
use std::fs::File;

/// Version, description, SQLite, PostgreSQL.
pub(super) const STEPS: &[(i64, &str, &str, &str)] = &[
    (
        1,
        "users, sessions, outbox",
        include_str!("../../migrations/sqlite/0001_users_sessions_outbox.sql"),
        include_str!("../../migrations/postgres/0001_users_sessions_outbox.sql"),
    ),
    (
        2,
        "invitations",
        include_str!("../../migrations/sqlite/0002_invitations.sql"),
        include_str!("../../migrations/postgres/0002_invitations.sql"),
    ),
    (
        3,
        "mail",
        include_str!("../../migrations/sqlite/0003_mail.sql"),
        include_str!("../../migrations/postgres/0003_mail.sql"),
    ),
    (
        4,
        "account",
        include_str!("../../migrations/sqlite/0004_account.sql"),
        include_str!("../../migrations/postgres/0004_account.sql"),
    ),
    (
        5,
        "the end of invitations",
        include_str!("../../migrations/sqlite/0005_invitations_end.sql"),
        include_str!("../../migrations/postgres/0005_invitations_end.sql"),
    ),
    (
        6,
        "session changes",
        include_str!("../../migrations/sqlite/0006_session_changes.sql"),
        include_str!("../../migrations/postgres/0006_session_changes.sql"),
    ),
    (
        7,
        "two-factor log-in",
        include_str!("../../migrations/sqlite/0007_two_factor.sql"),
        include_str!("../../migrations/postgres/0007_two_factor.sql"),
    ),
    (
        8,
        "passkeys",
        include_str!("../../migrations/sqlite/0008_passkeys.sql"),
        include_str!("../../migrations/postgres/0008_passkeys.sql"),
    ),
    (
        9,
        "account tokens",
        include_str!("../../migrations/sqlite/0009_account_tokens.sql"),
        include_str!("../../migrations/postgres/0009_account_tokens.sql"),
    ),
    (
        10,
        "limits",
        include_str!("../../migrations/sqlite/0010_limits.sql"),
        include_str!("../../migrations/postgres/0010_limits.sql"),
    ),
    (
        11,
        "requests for new passwords",
        include_str!("../../migrations/sqlite/0011_reset_requests.sql"),
        include_str!("../../migrations/postgres/0011_reset_requests.sql"),
    ),
    (
        152,
        "wrong codes by address and network",
        include_str!("../../migrations/sqlite/0152_code_failures.sql"),
        include_str!("../../migrations/postgres/0152_code_failures.sql"),
    ),
    (
        153,
        "limits are logged",
        include_str!("../../migrations/sqlite/0153_limits_logged.sql"),
        include_str!("../../migrations/postgres/0153_limits_logged.sql"),
    ),
    (
        170,
        "settings of the processes",
        include_str!("../../migrations/sqlite/0170_settings_of_processes.sql"),
        include_str!("../../migrations/postgres/0170_settings_of_processes.sql"),
    ),
    (
        180,
        "signing keys for ES256",
        include_str!("../../migrations/sqlite/0180_es256_signing_keys.sql"),
        include_str!("../../migrations/postgres/0180_es256_signing_keys.sql"),
    ),
    (
        181,
        "languages of accounts",
        include_str!("../../migrations/sqlite/0181_languages.sql"),
        include_str!("../../migrations/postgres/0181_languages.sql"),
    ),
    (
        182,
        "addresses beyond ASCII",
        include_str!("../../migrations/sqlite/0182_addresses_beyond_ascii.sql"),
        include_str!("../../migrations/postgres/0182_addresses_beyond_ascii.sql"),
    ),
    (
        200,
        "what sessions show",
        include_str!("../../migrations/sqlite/0200_what_sessions_show.sql"),
        include_str!("../../migrations/postgres/0200_what_sessions_show.sql"),
    ),
    (
        210,
        "API keys",
        include_str!("../../migrations/sqlite/0210_api_keys.sql"),
        include_str!("../../migrations/postgres/0210_api_keys.sql"),
    ),
    (
        212,
        "details of users",
        include_str!("../../migrations/sqlite/0212_details_of_users.sql"),
        include_str!("../../migrations/postgres/0212_details_of_users.sql"),
    ),
    (
        214,
        "repeated requests of backends",
        include_str!("../../migrations/sqlite/0214_idempotency.sql"),
        include_str!("../../migrations/postgres/0214_idempotency.sql"),
    ),
    (
        216,
        "lists of organizations",
        include_str!("../../migrations/sqlite/0216_lists_of_organizations.sql"),
        include_str!("../../migrations/postgres/0216_lists_of_organizations.sql"),
    ),
    (
        220,
        "nonces of the doctor",
        include_str!("../../migrations/sqlite/0220_doctor_nonces.sql"),
        include_str!("../../migrations/postgres/0220_doctor_nonces.sql"),
    ),
    (
        223,
        "the link for the first administrator",
        include_str!("../../migrations/sqlite/0223_setup_links.sql"),
        include_str!("../../migrations/postgres/0223_setup_links.sql"),
    ),
    (
        225,
        "factors that were lost with the secret key",
        include_str!("../../migrations/sqlite/0225_lost_factors.sql"),
        include_str!("../../migrations/postgres/0225_lost_factors.sql"),
    ),
    (
        226,
        "names of organizations",
        include_str!("../../migrations/sqlite/0226_names_of_organizations.sql"),
        include_str!("../../migrations/postgres/0226_names_of_organizations.sql"),
    ),
    (
        227,
        "sessions for developers",
        include_str!("../../migrations/sqlite/0227_dev_sessions.sql"),
        include_str!("../../migrations/postgres/0227_dev_sessions.sql"),
    ),
    (
        240,
        "traces of events",
        include_str!("../../migrations/sqlite/0240_traces_of_events.sql"),
        include_str!("../../migrations/postgres/0240_traces_of_events.sql"),
    ),
    (
        400,
        "columns of audit",
        include_str!("../../migrations/sqlite/0400_columns_of_audit.sql"),
        include_str!("../../migrations/postgres/0400_columns_of_audit.sql"),
    ),
    (
        500,
        "names of users",
        include_str!("../../migrations/sqlite/0500_names_of_users.sql"),
        include_str!("../../migrations/postgres/0500_names_of_users.sql"),
    ),
    (
        600,
        "renamed organizations",
        include_str!("../../migrations/sqlite/0600_renamed_organizations.sql"),
        include_str!("../../migrations/postgres/0600_renamed_organizations.sql"),
    ),
    (
        720,
        "taken development accounts",
        include_str!("../../migrations/sqlite/0720_taken_dev_accounts.sql"),
        include_str!("../../migrations/postgres/0720_taken_dev_accounts.sql"),
    ),
    (
        800,
        "providers",
        include_str!("../../migrations/sqlite/0800_providers.sql"),
        include_str!("../../migrations/postgres/0800_providers.sql"),
    ),
    (
        810,
        "logins with providers",
        include_str!("../../migrations/sqlite/0810_logins_with_providers.sql"),
        include_str!("../../migrations/postgres/0810_logins_with_providers.sql"),
    ),
    (
        900,
        "words of users",
        include_str!("../../migrations/sqlite/0900_words_of_users.sql"),
        include_str!("../../migrations/postgres/0900_words_of_users.sql"),
    ),
    (
        910,
        "hourly counts",
        include_str!("../../migrations/sqlite/0910_hourly_counts.sql"),
        include_str!("../../migrations/postgres/0910_hourly_counts.sql"),
    ),
    (
        920,
        "jobs",
        include_str!("../../migrations/sqlite/0920_jobs.sql"),
        include_str!("../../migrations/postgres/0920_jobs.sql"),
    ),
    (
        930,
        "lists of audit",
        include_str!("../../migrations/sqlite/0930_lists_of_audit.sql"),
        include_str!("../../migrations/postgres/0930_lists_of_audit.sql"),
    ),
    (
        931,
        "kinds of audit",
        include_str!("../../migrations/sqlite/0931_kinds_of_audit.sql"),
        include_str!("../../migrations/postgres/0931_kinds_of_audit.sql"),
    ),
    (
        1100,
        "order of events",
        include_str!("../../migrations/sqlite/1100_order_of_events.sql"),
        include_str!("../../migrations/postgres/1100_order_of_events.sql"),
    ),
    (
        1110,
        "time of backup",
        include_str!("../../migrations/sqlite/1110_time_of_backup.sql"),
        include_str!("../../migrations/postgres/1110_time_of_backup.sql"),
    ),
    (
        1120,
        "processes that run",
        include_str!("../../migrations/sqlite/1120_processes.sql"),
        include_str!("../../migrations/postgres/1120_processes.sql"),
    ),
];

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

pub(super) async fn sqlite(options: &SqliteConnectOptions) -> Result<()> {
    // The driver's own lock does nothing on SQLite; a lock on a file beside the database ends with its process.
    let lock_path = options.get_filename().with_extension("lock");
    let lock = tokio::task::spawn_blocking(move || {
        let file = File::create(lock_path)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    })
    .await
    .map_err(|error| StoreError::Schema(error.to_string()))?
    .map_err(|error| StoreError::Schema(format!("the lock file beside the database: {error}")))?;
    let mut connection = options.connect().await?;
    let outcome = migrator(|step| step.2).run(&mut connection).await;
    connection.close().await?;
    drop(lock);
    outcome.map_err(|error| StoreError::Schema(format!("the schema could not be brought up to date: {error}")))
}
