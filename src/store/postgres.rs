//! Connecting to PostgreSQL.

use super::kept::{ACQUIRE_TIMEOUT, MAX_IN_USE, TRUSTED_IDLE};
use super::{Result, StoreError, migrate};
use secrecy::{ExposeSecret, SecretString};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::str::FromStr;

/// Beside the connections in use by requests: those that listen, and look at what other processes changed.
const BESIDE: u32 = 4;

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
        .max_connections(MAX_IN_USE + BESIDE)
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
