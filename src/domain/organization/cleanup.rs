//! Removal of old invitations.

use crate::context::App;
use crate::model::principal::{Operation, Principal};
use crate::store::StoreError;
use std::time::Duration;

/// How long an invitation is kept after it was answered, revoked or expired, for the operator to look up its outcome.
pub const INVITATION_RETENTION: Duration = Duration::from_hours(30 * 24);
/// Invitations per transaction, small enough not to block concurrent ones for long.
const BATCH_SIZE: i64 = 1000;

/// Removes a batch of old invitations; returns their number, zero once none is left.
pub async fn remove_old_invitations(app: &App) -> Result<u64, StoreError> {
    let mut tx = app.store.begin(&Principal::process(&[Operation::CleanUp]), Operation::CleanUp).await?;
    let removed = tx.invitations_clean(app.clock.now() - INVITATION_RETENTION, BATCH_SIZE).await?;
    tx.commit().await?;
    Ok(removed)
}
