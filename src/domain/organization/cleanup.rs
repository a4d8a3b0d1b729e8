//! Invitations long over.

use crate::context::App;
use crate::store::StoreError;
use std::time::Duration;

/// An invitation that was answered, taken back or has expired is kept this long, so that the operator can see what
/// became of it.
pub const INVITATIONS_KEPT: Duration = Duration::from_hours(30 * 24);
/// So many at a time: nobody who invites waits for long.
const BATCH: i64 = 1000;

/// Removes invitations long over, in batches with a transaction each; returns how many.
pub async fn remove_old_invitations(app: &App) -> Result<u64, StoreError> {
    let mut removed = 0;
    loop {
        let mut tx = app.store.begin().await?;
        let batch = tx.invitations_clean(app.clock.now() - INVITATIONS_KEPT, BATCH).await?;
        tx.commit().await?;
        if batch == 0 {
            return Ok(removed);
        }
        removed += batch;
    }
}
