//! Recovery codes: ten at a time, shown once, each used once.

use crate::context::App;
use crate::crypto::recovery_code::RecoveryCode;
use crate::crypto::seal::Place;
use crate::error::Error;
use crate::mail::{self, Mail, SignInMethod};
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::ids::UserId;
use crate::store::Tx;

/// How many codes there are at once.
pub const CODES: i64 = 10;

/// The row a code's hash is sealed for: its user and its number.
pub(super) fn row_key(user: UserId, number: i64) -> Vec<u8> {
    [user.0.as_bytes().as_slice(), &number.to_be_bytes()].concat()
}

pub(super) fn place(row: &[u8]) -> Place<'_> {
    Place { table: "recovery_codes", row, column: "code_hash" }
}

/// Makes new codes in place of all earlier ones.
pub(super) async fn make(app: &App, tx: &mut Tx, user: UserId) -> Result<Vec<RecoveryCode>, Error> {
    tx.recovery_codes_delete(user).await?;
    let mut codes = Vec::new();
    for number in 1..=CODES {
        let code = RecoveryCode::generate()?;
        let key = row_key(user, number);
        let sealed = app.secret_keys.seal(&place(&key), &code.hash()).map_err(Error::crypto)?;
        tx.recovery_code_create(user, number, &sealed).await?;
        codes.push(code);
    }
    Ok(codes)
}

/// Makes new codes in place of all earlier ones; `None` without an authenticator app.
pub async fn replace_recovery_codes(app: &App, by: &By, user: UserId) -> Result<Option<Vec<RecoveryCode>>, Error> {
    let mut tx = app.store.begin().await?;
    let Some(account) = tx.user_lock_in(user, by.session()).await? else { return Ok(None) };
    if !super::status::is_on(&mut tx, user).await? {
        return Ok(None);
    }
    let codes = make(app, &mut tx, user).await?;
    let notice = Mail::SignInMethodAdded { user, method: SignInMethod::RecoveryCodes };
    mail::queue(app, &mut tx, &account.email, notice).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::RecoveryCodesMade, user, by)).await?;
    tx.commit().await?;
    tracing::info!(user = %user, "recovery codes made anew");
    Ok(Some(codes))
}

/// Whether this is one of the user's unused codes; it is used up.
pub(super) async fn accept(app: &App, tx: &mut Tx, user: UserId, typed: &str) -> Result<bool, Error> {
    let Some(code) = RecoveryCode::parse(typed) else { return Ok(false) };
    for row in tx.recovery_codes_unused(user).await? {
        let key = row_key(user, row.number);
        let hash = app.secret_keys.open(&place(&key), &row.code_hash).map_err(Error::crypto)?;
        if code.has_hash(&hash) {
            return Ok(tx.recovery_code_use(user, row.number).await?);
        }
    }
    Ok(false)
}
