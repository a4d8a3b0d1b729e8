//! Recovery codes: issued ten at a time, shown once, each valid once.

use crate::context::App;
use crate::crypto::recovery_code::RecoveryCode;
use crate::crypto::seal::SealContext;
use crate::error::Error;
use crate::mail::{self, LoginMethod, Notice};
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::principal::{Operation, Principal};
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

/// Replaces the recovery codes of a user. Returns `None` without an authenticator app.
pub async fn replace_recovery_codes(
    app: &App,
    principal: &Principal,
    user: UserId,
) -> Result<Option<Vec<RecoveryCode>>, Error> {
    let mut tx = app.store.begin(principal, Operation::ChangeFactors).await?;
    let Some(account) = tx.user_lock_in(user, principal.actor().session()).await? else { return Ok(None) };
    tx.require_own(user)?;
    if !super::status::is_on(&mut tx, user).await? {
        return Ok(None);
    }
    let codes = generate(app, &mut tx, user).await?;
    tx.record_account(user, AccountChange::RecoveryCodesCreated).await?;
    let notice = Notice::LoginMethodAdded(LoginMethod::RecoveryCodes);
    mail::notify(app, &mut tx, &account, notice).await?;
    tx.commit().await?;
    Ok(Some(codes))
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
