//! An authenticator app: its secret is made, shown, and asked for once a first code has shown that the app has it.

use super::recovery_codes;
use crate::context::App;
use crate::crypto::recovery_code::RecoveryCode;
use crate::crypto::seal::Place;
use crate::crypto::totp::TotpSecret;
use crate::error::Error;
use crate::mail::{self, Mail, SignInMethod};
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::{SessionId, UserId};
use crate::model::time::Time;
use crate::store::{StoreError, TotpRow, Tx};
use std::time::Duration;

/// A secret that was not confirmed for this long is not shown any more: it may be on a screenshot somewhere.
const SETUP_LIFE: Duration = Duration::from_hours(1);

/// Where the secret of a user is sealed for.
pub(super) fn place(user: &UserId) -> Place<'_> {
    Place { table: "totp", row: user.0.as_bytes(), column: "secret" }
}

/// Opens a stored secret.
pub(super) fn open(app: &App, row: &TotpRow) -> Result<TotpSecret, Error> {
    let bytes = app.secret_keys.open(&place(&row.user_id), &row.secret).map_err(Error::crypto)?;
    TotpSecret::from_bytes(bytes).map_err(Error::crypto)
}

/// Why no app can be set up.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// There is one.
    #[error("an authenticator app is set up already")]
    On,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for BeginError {
    fn from(error: StoreError) -> Self {
        BeginError::Failed(error.into())
    }
}

/// Makes a secret for a user's app, which counts for nothing until it is confirmed.
pub async fn begin(app: &App, user: UserId) -> Result<(), BeginError> {
    let secret = TotpSecret::generate().map_err(Error::from)?;
    let sealed = app.secret_keys.seal(&place(&user), secret.as_bytes()).map_err(Error::crypto)?;
    let mut tx = app.store.begin().await?;
    let begun = tx.totp_begin(user, &sealed).await?;
    tx.commit().await?;
    if begun { Ok(()) } else { Err(BeginError::On) }
}

/// The secret that waits to be confirmed, if there is one.
pub async fn setup(app: &App, user: UserId) -> Result<Option<TotpSecret>, Error> {
    let row = app.store.read().await?.totp_find(user).await?;
    match row.filter(|row| is_waiting(row, app.clock.now())) {
        Some(row) => Ok(Some(open(app, &row)?)),
        None => Ok(None),
    }
}

fn is_waiting(row: &TotpRow, now: Time) -> bool {
    row.confirmed_at.is_none() && now.since(row.created_at) < SETUP_LIFE
}

/// Why an app was not confirmed.
#[derive(Debug, thiserror::Error)]
pub enum ConfirmError {
    /// Not the app's code.
    #[error("not the code that the app shows")]
    WrongCode,
    /// Nothing waits to be confirmed.
    #[error("no authenticator app is being set up")]
    NotBegun,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ConfirmError {
    fn from(error: StoreError) -> Self {
        ConfirmError::Failed(error.into())
    }
}

/// Takes the app into use after its first code; gives the recovery codes, which are never to be had again.
///
/// `end_others` is the session that stays while all others end.
pub async fn confirm(
    app: &App,
    by: &By,
    user: UserId,
    code: &str,
    end_others: Option<SessionId>,
) -> Result<Vec<RecoveryCode>, ConfirmError> {
    let mut tx = app.store.begin().await?;
    let account = tx.user_lock_in(user, by.session()).await?.ok_or(ConfirmError::NotBegun)?;
    let now = app.clock.now();
    let row = tx.totp_find(user).await?.filter(|row| is_waiting(row, now)).ok_or(ConfirmError::NotBegun)?;
    let secret = open(app, &row)?;
    let step = secret.matching_step(&plain(code), now, row.last_step).ok_or(ConfirmError::WrongCode)?;
    if !tx.totp_confirm(user, step).await? {
        return Err(ConfirmError::NotBegun);
    }
    let codes = recovery_codes::make(app, &mut tx, user).await?;
    super::status::end_other_sessions(&mut tx, user, end_others).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::TotpEnabled, user, by)).await?;
    let notice = Mail::SignInMethodAdded { user, method: SignInMethod::AuthenticatorApp };
    mail::queue(app, &mut tx, &account.email, notice).await?;
    tx.commit().await?;
    tracing::info!(user = %user, "two-factor log-in is on");
    Ok(codes)
}

/// The time step of a right code that was not used before; the code is used up.
pub(super) async fn accept(app: &App, tx: &mut Tx, row: &TotpRow, code: &str) -> Result<bool, Error> {
    let secret = open(app, row)?;
    match secret.matching_step(&plain(code), app.clock.now(), row.last_step) {
        Some(step) => Ok(tx.totp_accept(row.user_id, step).await?),
        None => Ok(false),
    }
}

/// Apps show a code in two groups, and people type it so.
fn plain(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace()).take(16).collect()
}
