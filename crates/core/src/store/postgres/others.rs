//! Other processes of Doorward on the same database.

use super::pool::PostgresPool;
use crate::store::Result;
use std::time::Duration;
use tokio::time::sleep;

/// The server notices the end of a process a moment later.
const GONE_AFTER: Duration = Duration::from_millis(250);
/// How often it is asked before a connection counts as one that stays.
const TRIES: usize = 8;
/// With a role that may not see the names of others' connections, only those of the same role count.
const OTHERS: &str = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE application_name = 'doorward' \
                      AND datname = current_database() AND pid <> pg_backend_pid())";

/// Whether another process has connections. This one must have none.
pub(super) async fn others_are_connected(pool: &PostgresPool) -> Result<bool> {
    let mut connection = pool.connect().await?;
    for _ in 0..TRIES {
        if !sqlx::query_scalar::<_, bool>(OTHERS).fetch_one(&mut connection).await? {
            return Ok(false);
        }
        sleep(GONE_AFTER).await;
    }
    Ok(true)
}
