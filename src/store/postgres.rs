//! Connecting to PostgreSQL.

use super::error::{Result, StoreError};
use super::idle_connections::{ACQUIRE_TIMEOUT, MAX_IN_USE, PING_AFTER_IDLE};
use super::migrate;
use secrecy::{ExposeSecret, SecretString};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use std::str::FromStr;

/// Connections beside those of requests: the ones that listen for notifications and poll the change feed.
const BACKGROUND: u32 = 4;

pub(super) async fn open(url: &SecretString) -> Result<PgPool> {
    let options = PgConnectOptions::from_str(url.expose_secret())
        .map_err(|error| StoreError::Schema(format!("the PostgreSQL URL cannot be read: {error}")))?
        .application_name("doorward")
        // A process that dies without closing its connection must not hold its locks for long.
        .options([
            ("idle_in_transaction_session_timeout", "60s"),
            // Less than the timeout of a request, so that the statements of one that timed out are rolled back.
            ("statement_timeout", "20s"),
            ("lock_timeout", "10s"),
        ]);
    let pool = PgPoolOptions::new()
        .max_connections(MAX_IN_USE + BACKGROUND)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .test_before_acquire(false)
        .before_acquire(|conn, meta| {
            Box::pin(async move { Ok(meta.idle_for < PING_AFTER_IDLE || sqlx::Connection::ping(conn).await.is_ok()) })
        })
        .connect_with(options)
        .await?;
    migrate::postgres(&pool).await?;
    Ok(pool)
}
