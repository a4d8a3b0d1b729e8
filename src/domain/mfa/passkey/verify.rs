//! Verification of passkey assertions, in the transaction that acts on them.

use super::add::PasskeyResponse;
use super::at_origin;
use crate::context::App;
use crate::crypto::passkey::{PasskeyAssertion, PasskeyError, ReturnedChallenge};
use crate::metrics::{Factor, FactorResult};
use crate::model::audit::AuditKind;
use crate::model::device::Device;
use crate::model::ids::{PasskeyId, UserId};
use crate::store::{StoreError, Tx};

pub(in crate::domain) enum AssertionError {
    Refused(PasskeyError),
    Failed(StoreError),
}

impl From<StoreError> for AssertionError {
    fn from(error: StoreError) -> Self {
        AssertionError::Failed(error)
    }
}

impl From<PasskeyError> for AssertionError {
    fn from(error: PasskeyError) -> Self {
        AssertionError::Refused(error)
    }
}

/// Verifies the assertion of a passkey of a user whom the transaction has locked, and records its use. `subject` is the
/// user handle in the challenge.
pub(in crate::domain) async fn verify_assertion(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    passkey: PasskeyId,
    assertion: &PasskeyAssertion,
    subject: &[u8],
    response: &PasskeyResponse<'_>,
) -> Result<(), AssertionError> {
    let verified = verify(app, tx, (user, passkey), assertion, subject, response).await;
    let result = match &verified {
        Ok(()) => FactorResult::Right,
        Err(AssertionError::Refused(_)) => FactorResult::Wrong,
        Err(AssertionError::Failed(_)) => return verified,
    };
    app.metrics.auth.factor_checks.count(Factor::Passkey, result);
    verified
}

async fn verify(
    app: &App,
    tx: &mut Tx,
    (user, passkey): (UserId, PasskeyId),
    assertion: &PasskeyAssertion,
    subject: &[u8],
    response: &PasskeyResponse<'_>,
) -> Result<(), AssertionError> {
    let passkeys = at_origin(app).ok_or(PasskeyError::InvalidChallenge)?;
    // Read under the lock, because a concurrent assertion may have raised the signature counter.
    let removed = || PasskeyError::Refused("it was removed".to_owned());
    let row = tx.passkey_find(user, passkey).await?.ok_or_else(removed)?;
    let returned = ReturnedChallenge { handle: subject, state: response.state, browser: response.csrf_token };
    let now = app.clock.now();
    // Before the verification: a replayed response would look like a cloned authenticator by its signature counter.
    let challenge = passkeys.issued_challenge(returned, now)?;
    if !tx.passkey_challenge_use(&challenge.challenge_hash, challenge.expires_at).await? {
        return Err(PasskeyError::InvalidChallenge.into());
    }
    let stored = passkeys.finish_authentication(assertion, returned, &row.credential, now)?;
    Ok(tx.passkey_use(row.id, &stored.credential, i64::from(stored.counter), stored.backed_up).await?)
}

/// Whether the user handle in the assertion is this user's.
pub(in crate::domain) fn belongs_to(assertion: &PasskeyAssertion, user: UserId) -> bool {
    assertion.handle() == Some(user.0.as_bytes().as_slice())
}

/// Records a refused assertion in the audit log: as `kind`, or as a copied passkey if the authenticator may be cloned.
/// A void challenge is not recorded.
pub(in crate::domain) fn record_refused(
    app: &App,
    kind: AuditKind,
    user: Option<UserId>,
    device: &Device,
    error: &PasskeyError,
) {
    let kind = match error {
        PasskeyError::InvalidChallenge => return,
        PasskeyError::PossibleClone => {
            tracing::warn!(user = ?user, "a passkey was refused that may have been copied: {error}");
            AuditKind::PasskeyCloned
        }
        PasskeyError::UserNotVerified
        | PasskeyError::BackupFlags
        | PasskeyError::UserHandle
        | PasskeyError::Refused(_) => {
            tracing::info!(user = ?user, "a passkey was refused: {error}");
            kind
        }
    };
    app.failed_attempts.record_for(kind, error.reason(), user, device, app.clock.now());
}
