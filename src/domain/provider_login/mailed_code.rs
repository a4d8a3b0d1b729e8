//! A login to the account that has the address, by a mailed code: only where the account has no means of its own.

use super::outcome::CallbackOutcome;
use super::pending::PendingProviderLogin;
use super::types::Question;
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete::{self, ClientContext};
use crate::domain::mailed_token::own_code::{self, AskedIn, OwnCode};
use crate::domain::mailed_token::request::NOTHING_PENDING;
use crate::domain::mailed_token::token_check::VerifyError;
use crate::domain::ownership::unverified;
use crate::domain::provider::working::logs_in;
use crate::error::Error;
use crate::messages::Locale;
use crate::model::audit::AuditKind;
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::principal::{Operation, Principal};
use crate::refusal::ChangeError;
use crate::store::{Conn, ProviderList, Tx, UserRow};
use std::net::IpAddr;

/// The code that may log in to the account with the address; `None` if that has a password, a passkey or an account at a
/// provider, with which its person logs in.
pub async fn offered(
    app: &App,
    principal: &Principal,
    pending: &PendingProviderLogin,
) -> Result<Option<OwnCode>, Error> {
    let Some(key) = address_key(pending) else { return Ok(None) };
    let providers = app.store.providers().await?;
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    match conn.user_find_by_email(&key).await? {
        Some(user) => offered_for(app, &mut conn, &providers, &user, pending).await,
        None => Ok(None),
    }
}

/// Emails a code. [`NOTHING_PENDING`] if none is offered.
pub async fn send(
    app: &App,
    principal: &Principal,
    pending: &PendingProviderLogin,
    locale: Locale,
) -> Result<(), ChangeError> {
    let providers = app.store.providers().await?;
    let mut tx = app.store.begin(principal, Operation::RequestMail).await?;
    let user = lock_account(&mut tx, pending).await?.ok_or(NOTHING_PENDING)?;
    if offered_for(app, &mut tx, &providers, &user, pending).await?.is_none() {
        return Err(NOTHING_PENDING.into());
    }
    own_code::send(app, &mut tx, &user, AskedIn::Login(pending.id()), locale).await?;
    Ok(tx.commit().await?)
}

/// Logs in with a code. What follows is as after a password.
pub async fn log_in(
    app: &App,
    pending: &PendingProviderLogin,
    typed: &str,
    client: &ClientContext,
    from: IpAddr,
) -> Result<CallbackOutcome, VerifyError> {
    let providers = app.store.providers().await?;
    let mut tx = app.store.begin(&client.anonymous(), Operation::LogIn).await?;
    let user = lock_account(&mut tx, pending).await?.ok_or(VerifyError::Unknown)?;
    if offered_for(app, &mut tx, &providers, &user, pending).await?.is_none() {
        return Err(VerifyError::Unknown);
    }
    if let Err(refusal) = own_code::check_at_login(app, &mut tx, &user, pending.id(), typed, from).await {
        app.failed_attempts.record(AuditKind::LoginFailed, Some(user.id), &client.device, app.clock.now());
        return Err(refusal.end(tx).await);
    }
    let shown = Authentication::by(AuthMethod::MailedLink, app.store.database_time());
    let outcome = complete::complete_login(app, &mut tx, &user, shown, client).await?;
    tx.commit().await?;
    Ok(outcome.into())
}

async fn offered_for(
    app: &App,
    conn: &mut Conn,
    providers: &ProviderList,
    user: &UserRow,
    pending: &PendingProviderLogin,
) -> Result<Option<OwnCode>, Error> {
    let is_free = user.email_verified_at.is_some() && user.disabled_at.is_none();
    if !is_free || conn.identities_of_user(user.id).await?.iter().any(|row| logs_in(providers, row)) {
        return Ok(None);
    }
    own_code::offered(app, conn, user, AskedIn::Login(pending.id())).await
}

fn address_key(pending: &PendingProviderLogin) -> Option<String> {
    let waits = pending.question == Question::Connect;
    pending.verified.as_ref().filter(|_| waits).map(EmailAddress::key)
}

async fn lock_account(tx: &mut Tx, pending: &PendingProviderLogin) -> Result<Option<UserRow>, Error> {
    match address_key(pending) {
        Some(key) => Ok(unverified::lock_email_owner(tx, &key).await?),
        None => Ok(None),
    }
}
