//! Connecting to PostgreSQL.

use super::{Result, StoreError, migrate};
use secrecy::{ExposeSecret, SecretString};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::str::FromStr;
use std::time::Duration;

/// Enough to keep a small server busy; beyond it PostgreSQL itself is the limit.
const MAX_CONNECTIONS: u32 = 20;
/// A request waits this long for a free connection, or for the server, before it fails.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);
/// A connection that lay idle for longer is asked whether it still lives: the server may have been restarted.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

pub(super) async fn open(url: &SecretString) -> Result<PgPool> {
    let options = PgConnectOptions::from_str(url.expose_secret())
        .map_err(|error| StoreError::Schema(format!("the PostgreSQL URL cannot be read: {error}")))?
        .application_name("doorward")
        // A process that dies without closing its connection must not hold its locks for long.
        .options([
            ("idle_in_transaction_session_timeout", "60s"),
            // Less than a request's time, so that one that is given up was also undone.
            ("statement_timeout", "20s"),
            ("lock_timeout", "10s"),
        ]);
    let pool = PgPoolOptions::new()
        .max_connections(MAX_CONNECTIONS)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|conn, meta| {
            Box::pin(async move { Ok(meta.idle_for < TRUSTED_IDLE || sqlx::Connection::ping(conn).await.is_ok()) })
        })
        .connect_with(options)
        .await?;
    migrate::postgres(&pool).await?;
    Ok(pool)
}
