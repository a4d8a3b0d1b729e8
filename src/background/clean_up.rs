//! Removal of what has expired, a batch in each turn.

use super::{Rest, Turns};
use crate::context::App;
use crate::domain::idempotency::IDEMPOTENCY_RETENTION;
use crate::error::Error;
use crate::model::audit;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::rate_limit::CODE_FAILURE_RETENTION;
use crate::store::{ChangeCursor, HOURLY_COUNT_RETENTION, JOB_RETENTION, StoreError, Tx};
use std::sync::Arc;
use std::time::Duration;

/// An ended session is stored for this time, so that its user can see how it ended.
const SESSION_RETENTION: Duration = Duration::from_hours(90 * 24);
const ACCOUNT_TOKEN_RETENTION: Duration = Duration::from_hours(24);
/// How long an invitation is kept after it was answered, revoked or expired, for the operator to look up its outcome.
pub const INVITATION_RETENTION: Duration = Duration::from_hours(30 * 24);
const BATCH_SIZE: i64 = 1000;
/// A batch of this size may not be the last.
const FULL_BATCH: u64 = BATCH_SIZE.unsigned_abs();

#[derive(Clone, Copy)]
enum Expired<'a> {
    /// From before this one.
    SessionChanges(&'a ChangeCursor),
    Sessions,
    AuditEntries,
    ApiKeys,
    IdempotencyKeys,
    Limits,
    AccountTokens,
    CodeFailures,
    /// Pending logins, trusted devices, passkey challenges and logins that were begun at a provider.
    LoginTokens,
    HourlyCounts,
    Jobs,
    KeptUsernames,
    Invitations,
}

const HOURLY: [Expired<'static>; 12] = [
    Expired::Sessions,
    Expired::AuditEntries,
    Expired::ApiKeys,
    Expired::IdempotencyKeys,
    Expired::Limits,
    Expired::AccountTokens,
    Expired::CodeFailures,
    Expired::LoginTokens,
    Expired::HourlyCounts,
    Expired::Jobs,
    Expired::KeptUsernames,
    Expired::Invitations,
];

/// Removes all that has expired.
pub async fn clean_up(app: &Arc<App>) -> Result<(), Error> {
    let mut turns = Turns::new(app.clone());
    while turns.clean_up().await? == Rest::More {}
    Ok(())
}

impl Turns {
    /// Removes a batch of one kind.
    pub(super) async fn clean_up(&mut self) -> Result<Rest, Error> {
        let Some(what) = HOURLY.get(self.cleaned) else {
            self.cleaned = 0;
            return Ok(Rest::Nothing);
        };
        // A kind that cannot be removed does not keep the others.
        let removed = self.remove(*what).await;
        if !removed.as_ref().is_ok_and(|rest| *rest == Rest::More) {
            self.cleaned += 1;
        }
        removed?;
        Ok(Rest::More)
    }

    /// Removes a batch of the session changes from before the previous interval.
    pub(super) async fn remove_read_changes(&mut self) -> Result<Rest, Error> {
        let before = if let Some(before) = self.removed_changes.take() {
            before
        } else {
            let now = self.app.store.session_changes_cursor().await?;
            let Some(before) = self.read_changes.replace(now) else { return Ok(Rest::Nothing) };
            before
        };
        let rest = self.remove(Expired::SessionChanges(&before)).await?;
        self.removed_changes = Some(before).filter(|_| rest == Rest::More);
        Ok(rest)
    }

    async fn remove(&self, what: Expired<'_>) -> Result<Rest, StoreError> {
        let process = Principal::process(&[Operation::CleanUp]);
        let mut tx = self.app.store.begin(&process, Operation::CleanUp).await?;
        let removed = remove_batch(&mut tx, what, self.app.clock.now()).await?;
        tx.commit().await?;
        Ok(if removed < FULL_BATCH { Rest::Nothing } else { Rest::More })
    }
}

async fn remove_batch(tx: &mut Tx, what: Expired<'_>, now: Time) -> Result<u64, StoreError> {
    match what {
        Expired::SessionChanges(before) => tx.session_changes_delete(before, BATCH_SIZE).await,
        Expired::Sessions => tx.sessions_delete_expired(now - SESSION_RETENTION, BATCH_SIZE).await,
        Expired::AuditEntries => tx.audit_delete_old(now - audit::RETENTION, BATCH_SIZE).await,
        Expired::ApiKeys => tx.api_keys_delete_ended(now - audit::RETENTION, BATCH_SIZE).await,
        Expired::IdempotencyKeys => tx.idempotency_delete_old(IDEMPOTENCY_RETENTION, BATCH_SIZE).await,
        Expired::Limits => tx.limits_delete_old(now, BATCH_SIZE).await,
        Expired::AccountTokens => tx.account_tokens_delete_expired(now - ACCOUNT_TOKEN_RETENTION, BATCH_SIZE).await,
        Expired::CodeFailures => tx.code_failures_delete_old(now - CODE_FAILURE_RETENTION, BATCH_SIZE).await,
        Expired::HourlyCounts => tx.hourly_counts_delete_old(now - HOURLY_COUNT_RETENTION, BATCH_SIZE).await,
        Expired::Jobs => tx.jobs_delete_finished(now - JOB_RETENTION, BATCH_SIZE).await,
        Expired::KeptUsernames => tx.kept_usernames_delete_expired(BATCH_SIZE).await,
        Expired::Invitations => tx.invitations_clean(now - INVITATION_RETENTION, BATCH_SIZE).await,
        Expired::LoginTokens => {
            let pending = tx.pending_logins_delete_expired(BATCH_SIZE).await?;
            let devices = tx.trusted_devices_delete_expired(BATCH_SIZE).await?;
            let challenges = tx.passkey_challenges_delete_expired(BATCH_SIZE).await?;
            let provider_logins = tx.provider_logins_delete_expired(BATCH_SIZE).await?;
            Ok(pending.max(devices).max(challenges).max(provider_logins))
        }
    }
}
