//! The readiness check of the database.

use super::db::Db;
use super::postgres::answered;
use super::sql::Sql;
use super::status::SharedResult;
use super::{Conn, Result, Store, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// For how long the answer to a probe is given again: however many ask, one write a second is made.
const REUSE: Duration = Duration::from_secs(1);

/// Some twenty pages, in a row that the clean-up would remove as expired.
const TAKE_ROOM: Sql = dialect_sql!(sqlite(
    "INSERT OR REPLACE INTO limits (id, at, failures, expires_at) VALUES (zeroblob(40000), 0, 0, 0)"
));
const GIVE_ROOM_BACK: Sql = dialect_sql!(sqlite("DELETE FROM limits WHERE id = zeroblob(40000)"));

impl Store {
    /// Fails unless the database answers, as a server that takes writes; it asks for none.
    pub async fn ping(&self) -> Result<()> {
        let Db::Postgres(pool) = &self.db else { return self.read_internal().await?.ping().await };
        let mut pooled = pool.acquire().await?;
        let statement = sqlx::query_scalar::<_, bool>(
            "SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean",
        );
        let read_only = answered(statement.fetch_one(pooled.connection()?)).await;
        if pooled.settle(read_only)? {
            pooled.lost();
            return Err(StoreError::Away("the server is read-only".to_owned()));
        }
        Ok(())
    }

    /// Makes a write that changes nothing: only that shows full disks, lost rights, files that are locked and servers that
    /// became read-only. While commits fail, it takes as much room as a sign-up: on a full disk what needs no new page goes
    /// on passing.
    pub async fn try_write(&self) -> Result<()> {
        let mut tx = self.begin_internal().await?;
        tx.instance_lock().await?;
        if !tx.is_refusing() {
            return tx.commit().await;
        }
        execute!(&mut tx, TAKE_ROOM)?;
        tx.commit().await?;
        let mut tx = self.begin_internal().await?;
        execute!(&mut tx, GIVE_ROOM_BACK)?;
        tx.commit().await
    }

    /// Whether the database takes writes, as [`try_write`](Self::try_write) found within the last second.
    pub async fn takes_writes(&self) -> SharedResult {
        let mut last = self.shared.last_write.0.lock().await;
        if let Some((at, result)) = &*last
            && at.elapsed() < REUSE
        {
            return result.clone();
        }
        let result = self.try_write().await.map_err(|error| {
            error.log("the database takes no writes");
            Arc::new(error)
        });
        *last = Some((Instant::now(), result.clone()));
        result
    }
}

impl Conn {
    async fn ping(&mut self) -> Result<()> {
        let _one: i64 = fetch_scalar!(self, dialect_sql!(sqlite("SELECT 1")))?;
        Ok(())
    }
}
