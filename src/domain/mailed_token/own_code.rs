//! A code that stands for the password of an account which has none: the person who reads its mail and types the code
//! here is its own. It never stands for the second factor.

use super::request::{ResendError, check_resend_limit, own_limit};
use super::token::{IssuedToken, draft};
use super::token_check::{MailedSecret, SecretRefusal, VerifyError, verify_secret};
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::model::placeholder_email::is_placeholder;
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use crate::store::{AccountTokenRow, Conn, StoreError, Tx, UserRow};
use std::net::IpAddr;

/// What a page says of the code that may be mailed.
pub struct OwnCode {
    pub email: String,
    /// When the code that works now was mailed, if one was.
    pub sent_at: Option<Time>,
}

/// Whether a code may stand for the password of an account; `None` if it has a password, a passkey or no address.
pub(in crate::domain) async fn offered(app: &App, conn: &mut Conn, user: &UserRow) -> Result<Option<OwnCode>, Error> {
    if user.password_hash.is_some() || is_placeholder(&user.email) || !conn.passkeys_of_user(user.id).await?.is_empty()
    {
        return Ok(None);
    }
    let pending = find(conn, user).await?.filter(|row| app.clock.now() < row.expires_at);
    Ok(Some(OwnCode { email: user.email.clone(), sent_at: pending.map(|row| row.sent_at) }))
}

/// Emails a code to the address of an account that the transaction has locked, in place of an earlier one.
pub(in crate::domain) async fn send(app: &App, tx: &mut Tx, user: &UserRow, locale: Locale) -> Result<(), ResendError> {
    let earlier = find(tx, user).await?;
    let checked = check_resend_limit(app, tx, earlier.as_ref(), own_limit(user)).await;
    checked.map_err(|refused| refused.map_exceeded(ResendError::TooSoon))?;
    tx.account_tokens_delete_of_user(user.id, AccountTokenKind::Confirmation).await?;
    let address = EmailAddress::from_stored(&user.email);
    let issued = IssuedToken::issue(app, draft(app, AccountTokenKind::Confirmation, Some(user.id), &address, None)?)?;
    issued.store(tx).await?;
    let mail = Mail::ConfirmationCode { user: user.id, code: issued.code.text(), expires_at: issued.row.expires_at };
    mail::queue(app, tx, &user.email, user.language.unwrap_or(locale), mail).await?;
    Ok(())
}

/// Checks a code for an account that the transaction has locked, and uses it up.
pub(in crate::domain) async fn check(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    typed: &str,
    from: IpAddr,
) -> Result<(), SecretRefusal> {
    let id = find(tx, user).await?.ok_or(VerifyError::CodeInvalidated)?.id;
    let row = verify_secret(app, tx, id, MailedSecret::Code { id, typed, from }).await?;
    tx.account_token_delete(row.id).await?;
    Ok(())
}

/// The last code, if it was mailed to the address that the account has now.
async fn find(conn: &mut Conn, user: &UserRow) -> Result<Option<AccountTokenRow>, StoreError> {
    let row = conn.account_token_of_user(user.id, AccountTokenKind::Confirmation).await?;
    Ok(row.filter(|row| row.email == user.email))
}
