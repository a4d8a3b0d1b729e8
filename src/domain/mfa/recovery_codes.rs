//! Recovery codes: issued ten at a time, shown once, each valid once.

use super::status;
use crate::context::App;
use crate::crypto::recovery_code::RecoveryCode;
use crate::crypto::seal::SealContext;
use crate::domain::change::Change;
use crate::error::Error;
use crate::mail::{self, LoginMethod, Notice};
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::refusal::ChangeError;
use crate::store::Tx;

pub const RECOVERY_CODE_COUNT: i64 = 10;

/// The row in the seal context of a code: its user and its number.
pub(super) fn row_key(user: UserId, number: i64) -> Vec<u8> {
    [user.0.as_bytes().as_slice(), &number.to_be_bytes()].concat()
}

pub(super) fn seal_context(row: &[u8]) -> SealContext<'_> {
    SealContext { table: "recovery_codes", row, column: "code_hash" }
}

/// Generates new codes, which replace all earlier ones.
pub(super) async fn generate(app: &App, tx: &mut Tx, user: UserId) -> Result<Vec<RecoveryCode>, Error> {
    tx.recovery_codes_delete(user).await?;
    let mut codes = Vec::new();
    for number in 1..=RECOVERY_CODE_COUNT {
        let code = RecoveryCode::generate()?;
        let key = row_key(user, number);
        let sealed = app.secret_keys.seal(&seal_context(&key), &code.hash()).map_err(Error::crypto)?;
        tx.recovery_code_create(user, number, &sealed).await?;
        codes.push(code);
    }
    Ok(codes)
}

/// Replaces the principal's recovery codes; made is `None` without an authenticator app.
pub struct ReplaceCodes;

impl Change for ReplaceCodes {
    const OPERATION: Operation = Operation::ChangeFactors;
    type Made = Option<Vec<RecoveryCode>>;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<Option<Vec<RecoveryCode>>, ChangeError> {
        let Some(account) = tx.user_lock_own().await? else { return Ok(None) };
        if !status::is_on(tx, account.id).await? {
            return Ok(None);
        }
        let codes = generate(app, tx, account.id).await?;
        tx.record_account(account.id, AccountChange::RecoveryCodesCreated).await?;
        mail::notify(app, tx, &account, Notice::LoginMethodAdded(LoginMethod::RecoveryCodes)).await?;
        Ok(Some(codes))
    }
}

/// Checks for one of the user's unused codes and consumes it.
pub(super) async fn accept(app: &App, tx: &mut Tx, user: UserId, typed: &str) -> Result<bool, Error> {
    let Some(code) = RecoveryCode::parse(typed) else { return Ok(false) };
    for row in tx.recovery_codes_unused(user).await? {
        let key = row_key(user, row.number);
        let hash = app.secret_keys.open(&seal_context(&key), &row.code_hash).map_err(Error::crypto)?;
        if code.has_hash(&hash) {
            return Ok(tx.recovery_code_use(user, row.number).await?);
        }
    }
    Ok(false)
}
