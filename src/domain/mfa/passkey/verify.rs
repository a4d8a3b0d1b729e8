//! The answer of a known passkey, judged in the transaction that acts on it.

use super::add::Answer;
use super::at_origin;
use crate::context::App;
use crate::crypto::passkey::{PasskeyError, Presented};
use crate::model::audit::AuditKind;
use crate::model::device::Device;
use crate::model::ids::{PasskeyId, UserId};
use crate::store::{StoreError, Tx};

/// Why an answer is worth nothing.
pub(in crate::domain) enum NotShown {
    /// It is not good.
    Refused(PasskeyError),
    /// The database failed.
    Failed(StoreError),
}

impl From<StoreError> for NotShown {
    fn from(error: StoreError) -> Self {
        NotShown::Failed(error)
    }
}

impl From<PasskeyError> for NotShown {
    fn from(error: PasskeyError) -> Self {
        NotShown::Refused(error)
    }
}

/// Judges the answer of a passkey of a user whom the transaction has locked, and notes its use. `about` is whom the
/// question was about.
pub(in crate::domain) async fn judge(
    app: &App,
    tx: &mut Tx,
    (user, passkey): (UserId, PasskeyId),
    presented: &Presented,
    (about, answer): (&[u8], &Answer<'_>),
) -> Result<(), NotShown> {
    let passkeys = at_origin(app).ok_or(PasskeyError::Void)?;
    // Read under the lock, as another answer may have raised the count of signatures.
    let gone = || PasskeyError::Refused("it was removed".to_owned());
    let row = tx.passkey_find(user, passkey).await?.ok_or_else(gone)?;
    let (question, now) = ((about, answer.state, answer.browser), app.clock.now());
    // First, as an answer that is sent twice has the count of signatures of a copy.
    let asked = passkeys.asked(question, now)?;
    if !tx.passkey_challenge_use(&asked.challenge_hash, asked.expires_at).await? {
        return Err(PasskeyError::Void.into());
    }
    let stored = passkeys.judge_known(presented, question, &row.credential, now)?;
    Ok(tx.passkey_use(row.id, &stored.credential, i64::from(stored.counter), stored.backed_up).await?)
}

/// Whether the authenticator says that the passkey is this user's.
pub(in crate::domain) fn is_of(presented: &Presented, user: UserId) -> bool {
    presented.handle() == Some(user.0.as_bytes().as_slice())
}

/// Notes an answer that was refused, as `kind` unless it comes from what may be a copy. Nothing is noted of a question
/// that was only too old.
pub(in crate::domain) fn note_refused(
    app: &App,
    (kind, user): (AuditKind, Option<UserId>),
    device: &Device,
    error: &PasskeyError,
) {
    let kind = match error {
        PasskeyError::Void => return,
        PasskeyError::Copied => {
            tracing::warn!(user = ?user, "a passkey was refused that may have been copied: {error}");
            AuditKind::PasskeyCopied
        }
        PasskeyError::NotVerified | PasskeyError::Refused(_) => {
            tracing::info!(user = ?user, "a passkey was refused: {error}");
            kind
        }
    };
    app.failed_tries.note(kind, user, device, app.clock.now());
}
