//! Comparing the process's clock with the database server's.

use super::db::Db;
use super::postgres::answered;
use super::{Result, Store};
use crate::model::time::Time;
use std::time::Duration;

/// An answer that took longer does not tell when the server wrote it.
const MAX_ROUND_TRIP: Duration = Duration::from_secs(1);

impl Store {
    /// The time by the database server's clock, as far as it was measured; on SQLite by the injected clock.
    pub fn database_time(&self) -> Time {
        Time::from_micros(self.clock().now().as_micros().saturating_add(self.shared.database_clock.ahead()))
    }

    /// By how much the process's clock was last measured to differ from the server's.
    pub fn clock_difference(&self) -> Duration {
        self.shared.database_clock.difference()
    }

    /// Compares the process's clock with the server's. A difference of seconds is logged once.
    pub async fn measure_clock(&self) -> Result<()> {
        let Db::Postgres(pool) = &self.db else { return Ok(()) };
        let mut pooled = pool.acquire().await?;
        let before = self.clock().now();
        let statement = sqlx::query_scalar("SELECT clock_timestamp()");
        let at = answered(statement.fetch_one(pooled.connection()?)).await;
        let at: Time = pooled.settle(at)?;
        let after = self.clock().now();
        if after.since(before) <= MAX_ROUND_TRIP {
            let own = i64::midpoint(before.as_micros(), after.as_micros());
            self.shared.database_clock.set_ahead(at.as_micros() + self.clock().offset_micros() - own);
        }
        Ok(())
    }
}
