//! Authenticator apps (TOTP): the secret is generated, shown, and in use once a first code confirms it.

use super::{recovery_codes, status};
use crate::context::App;
use crate::crypto::recovery_code::RecoveryCode;
use crate::crypto::seal::SealContext;
use crate::crypto::totp::{CodeMatch, TotpSecret};
use crate::domain::change::Change;
use crate::error::Error;
use crate::mail::{self, LoginMethod, Notice};
use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::ids::{SessionId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::model::typed_digits;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{TotpRow, Tx};
use std::time::Duration;

/// An unconfirmed secret is not shown after this time: it may be on a screenshot somewhere.
const SETUP_TTL: Duration = Duration::from_hours(1);
const NO_PENDING_SETUP: Refusal = Refusal::NotFound("authenticator app to confirm");

/// The seal context of the secret of a user.
pub(super) fn seal_context(user: &UserId) -> SealContext<'_> {
    SealContext { table: "totp", row: user.0.as_bytes(), column: "secret" }
}

pub(super) fn open(app: &App, row: &TotpRow) -> Result<TotpSecret, Error> {
    let bytes = app.secret_keys.open(&seal_context(&row.user_id), &row.secret).map_err(Error::crypto)?;
    TotpSecret::from_bytes(bytes).map_err(Error::crypto)
}

/// Generates a secret for the principal's app, which is not in use until it is confirmed. An app that is in use stays.
pub struct BeginSetup;

impl Change for BeginSetup {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = tx.require_user()?;
        let secret = TotpSecret::generate()?;
        let sealed = app.secret_keys.seal(&seal_context(&user), secret.as_bytes()).map_err(Error::crypto)?;
        Ok(tx.totp_begin(user, &sealed).await?)
    }
}

/// Returns the secret that is pending confirmation, if there is one.
pub async fn pending_secret(app: &App, principal: &Principal, user: UserId) -> Result<Option<TotpSecret>, Error> {
    let row = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?.totp_find(user).await?;
    match row.filter(|row| is_pending(row, app.clock.now())) {
        Some(row) => Ok(Some(open(app, &row)?)),
        None => Ok(None),
    }
}

fn is_pending(row: &TotpRow, now: Time) -> bool {
    row.confirmed_at.is_none() && now.since(row.created_at) < SETUP_TTL
}

/// Confirms the app by its first code; made are the recovery codes, which are not shown again.
pub struct ConfirmSetup<'a> {
    pub code: &'a str,
    /// If it is given, every session except it ends.
    pub end_all_but: Option<SessionId>,
}

impl Change for ConfirmSetup<'_> {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = Vec<RecoveryCode>;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<Vec<RecoveryCode>, ChangeError> {
        let account = tx.user_lock_own().await?.ok_or(NO_PENDING_SETUP)?;
        let (user, now) = (account.id, app.clock.now());
        let row = tx.totp_find(user).await?.filter(|row| is_pending(row, now)).ok_or(NO_PENDING_SETUP)?;
        let CodeMatch::Unused(step) = open(app, &row)?.check(&typed_digits::code(self.code), now, row.last_step) else {
            return Err(Refusal::field("code", Message::new("two-factor-wrong-code")).into());
        };
        if !tx.totp_confirm(user, step).await? {
            return Err(NO_PENDING_SETUP.into());
        }
        tx.lost_factor_delete(user).await?;
        let codes = recovery_codes::generate(app, tx, user).await?;
        status::end_other_sessions(tx, user, self.end_all_but).await?;
        tx.record_account(user, AccountChange::TotpEnabled).await?;
        mail::notify(app, tx, &account, Notice::LoginMethodAdded(LoginMethod::AuthenticatorApp)).await?;
        Ok(codes)
    }
}

/// Checks a code, and consumes one that was not used before. Apps show it in two groups, and people type it like that.
pub(super) async fn check(app: &App, tx: &mut Tx, row: &TotpRow, code: &str) -> Result<CodeMatch, Error> {
    let matched = open(app, row)?.check(&typed_digits::code(code), app.clock.now(), row.last_step);
    match matched {
        CodeMatch::Unused(step) if !tx.totp_accept(row.user_id, step).await? => Ok(CodeMatch::Used),
        matched => Ok(matched),
    }
}
