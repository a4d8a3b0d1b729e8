//! Recognizes a pooler that gives a server's connection to several clients in turn (`PgBouncer` in transaction mode).
//!
//! There a prepared statement, a setting or a `LISTEN` meets another client's connection, and what was committed may be
//! answered with an error.

use super::pool::PostgresPool;
use crate::store::error::{Result, StoreError};
use sqlx::{Executor, PgConnection};
use std::time::Duration;
use tokio::time::timeout;

const LIMIT: Duration = Duration::from_secs(5);
pub(in crate::store) const REFUSAL: &str = "the pooler before the server gives a connection away after each transaction, which cannot work: \
                       set it to session mode, or connect to the server itself";
const NO_SECOND: &str = "the server, or the pooler before it, gave no second connection within 5 seconds: its limit of \
                         connections is too low";

/// Fails if two connections share a server process.
pub(super) async fn refuse_transaction_mode(pool: &PostgresPool) -> Result<()> {
    let mut first = pool.connect().await?;
    let checked = timeout(LIMIT, async {
        let mut second = pool.connect().await?;
        let shared = share_a_process(&mut first, &mut second).await?;
        Ok::<_, StoreError>(shared)
    });
    match checked.await {
        Ok(Ok(false)) => Ok(()),
        Ok(Ok(true)) => Err(StoreError::Schema(REFUSAL.to_owned())),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(StoreError::Schema(NO_SECOND.to_owned())),
    }
}

/// A pooler in transaction mode gives the second connection, in its transaction, the process that the first one has just
/// used, or, where others took it meanwhile, gives the first one another.
async fn share_a_process(first: &mut PgConnection, second: &mut PgConnection) -> sqlx::Result<bool> {
    let before = process(first).await?;
    second.execute("BEGIN").await?;
    let (other, after) = (process(second).await?, process(first).await?);
    second.execute("ROLLBACK").await?;
    Ok(other == before || before != after)
}

async fn process(connection: &mut PgConnection) -> sqlx::Result<i32> {
    // A pooler knows nothing of prepared statements, which `raw_sql` does without.
    let row = sqlx::raw_sql("SELECT pg_backend_pid()").fetch_one(connection).await?;
    sqlx::Row::try_get(&row, 0)
}
