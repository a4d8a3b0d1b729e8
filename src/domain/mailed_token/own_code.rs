//! A code that stands for the password of an account which has none: the person who reads its mail and types the code
//! here is its own. It never stands for the second factor.

use super::request::{check_resend_limit, own_limit};
use super::token::{IssuedToken, draft};
use super::token_check::{SecretRefusal, VerifyError, lock, verify_code};
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::model::ids::{AccountTokenId, SessionId};
use crate::model::placeholder_email::is_placeholder;
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::CountedFor;
use crate::refusal::ChangeError;
use crate::store::{AccountTokenRow, Conn, StoreError, Tx, UserRow};
use std::net::IpAddr;
use uuid::Uuid;

/// What a page says of the code that may be mailed.
pub struct OwnCode {
    pub email: String,
    /// When the code that works now was mailed, if one was.
    pub sent_at: Option<Time>,
}

/// Where a code was asked for, which is the only place where it works: its row has the id of that.
#[derive(Clone, Copy, Debug)]
pub(in crate::domain) enum AskedIn {
    Session(SessionId),
    /// A login that came back from a provider, and waits.
    Login(Uuid),
}

impl AskedIn {
    const fn token_id(self) -> AccountTokenId {
        match self {
            AskedIn::Session(SessionId(id)) | AskedIn::Login(id) => AccountTokenId(id),
        }
    }
}

/// Whether a code may stand for the password of an account; `None` if it has a password, a passkey or no address.
pub(in crate::domain) async fn offered(
    app: &App,
    conn: &mut Conn,
    user: &UserRow,
    asked_in: AskedIn,
) -> Result<Option<OwnCode>, Error> {
    if is_placeholder(&user.email) || has_own_means(conn, user).await? {
        return Ok(None);
    }
    let pending = find(conn, user, asked_in).await?.filter(|row| app.clock.now() < row.expires_at);
    Ok(Some(OwnCode { email: user.email.clone(), sent_at: pending.map(|row| row.sent_at) }))
}

/// Whether an account has a password or a passkey.
pub(in crate::domain) async fn has_own_means(conn: &mut Conn, user: &UserRow) -> Result<bool, StoreError> {
    Ok(user.password_hash.is_some() || !conn.passkeys_of_user(user.id).await?.is_empty())
}

/// Emails a code to the address of an account that the transaction has locked, in place of an earlier one.
pub(in crate::domain) async fn send(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    asked_in: AskedIn,
    locale: Locale,
) -> Result<(), ChangeError> {
    let earlier = find(tx, user, asked_in).await?;
    check_resend_limit(app, tx, earlier.as_ref(), own_limit(user)).await?;
    tx.account_token_delete(asked_in.token_id()).await?;
    let address = EmailAddress::from_stored(&user.email);
    let mut row = draft(app, AccountTokenKind::Confirmation, Some(user.id), &address, None)?;
    row.id = asked_in.token_id();
    // The code that was mailed before is told from a wrong one.
    row.code_hash = earlier.and_then(|earlier| earlier.code_hash);
    let issued = IssuedToken::issue(app, row)?;
    issued.store(tx).await?;
    let mail = Mail::ConfirmationCode { user: user.id, code: issued.code.text(), expires_at: issued.row.expires_at };
    mail::queue(app, tx, &user.email, user.language.unwrap_or(locale), mail).await?;
    Ok(())
}

/// Checks the code that confirms the person of a session, of an account that the transaction has locked, and uses it up.
/// Its wrong ones count for the account alone.
pub(in crate::domain) async fn check_in_session(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    session: SessionId,
    typed: &str,
) -> Result<(), SecretRefusal> {
    check(app, tx, user, AskedIn::Session(session), typed, CountedFor::Account(user.id)).await
}

/// The same at a login, whose person may be a stranger: wrong codes count as all others for the address do.
pub(in crate::domain) async fn check_at_login(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    login: Uuid,
    typed: &str,
    from: IpAddr,
) -> Result<(), SecretRefusal> {
    let email_key = EmailAddress::from_stored(&user.email).key();
    check(app, tx, user, AskedIn::Login(login), typed, CountedFor::Address(&email_key, from)).await
}

async fn check(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    asked_in: AskedIn,
    typed: &str,
    counted: CountedFor<'_>,
) -> Result<(), SecretRefusal> {
    let found = find(tx, user, asked_in).await?.filter(|row| app.clock.now() < row.expires_at);
    let id = found.ok_or(VerifyError::CodeInvalidated)?.id;
    let row = lock(app, tx, id).await?;
    verify_code(app, tx, &row, typed, counted).await?;
    tx.account_token_delete(row.id).await?;
    Ok(())
}

/// The last code that was asked for there, if it was mailed to the address that the account has now.
async fn find(conn: &mut Conn, user: &UserRow, asked_in: AskedIn) -> Result<Option<AccountTokenRow>, StoreError> {
    let row = conn.account_token_find(asked_in.token_id()).await?;
    let is_own = |row: &AccountTokenRow| {
        row.kind == AccountTokenKind::Confirmation && row.user_id == Some(user.id) && row.email == user.email
    };
    Ok(row.filter(is_own))
}
