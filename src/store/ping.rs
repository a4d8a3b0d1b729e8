//! The readiness check of the database.

use super::{Conn, Result, Store};

impl Store {
    /// Fails unless the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.read().await?.ping().await
    }
}

impl Conn {
    async fn ping(&mut self) -> Result<()> {
        with_engine!(self, |c| sqlx::query_scalar::<_, i64>("SELECT CAST(1 AS BIGINT)").fetch_one(c))?;
        Ok(())
    }
}
