//! The readiness check of the database.

use super::handle::Db;
use super::postgres::answered;
use super::{Conn, Result, Store, StoreError};

impl Store {
    /// Fails unless the database answers and takes writes.
    pub async fn ping(&self) -> Result<()> {
        let Db::Postgres(pool) = &self.db else { return self.read().await?.ping().await };
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
}

impl Conn {
    async fn ping(&mut self) -> Result<()> {
        with_engine!(self, |c| sqlx::query_scalar::<_, i64>("SELECT CAST(1 AS BIGINT)").fetch_one(c))?;
        Ok(())
    }
}
