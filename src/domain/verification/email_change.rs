//! Another address for an account: it counts once it has proved itself, and the old one gets a way back.

use super::link::look_up;
use super::mails::{Recipient, send, send_taken};
use super::token::{Issued, draft};
use super::token_check::{Proof, ProveError, checked};
use crate::context::App;
use crate::domain::account::identity::Email;
use crate::domain::registration::availability::{EmailAvailability, availability_of};
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::{Locale, Message};
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::event::Event;
use crate::model::ids::UserId;
use crate::model::verification::{Kind, TokenPurpose};
use crate::rate_limit::RateLimit;
use crate::store::{AccountTokenRow, Constraint, StoreError, Tx, UserRow};
use std::time::Duration;

/// Why a change was not begun.
#[derive(Debug, thiserror::Error)]
pub enum ChangeEmailError {
    /// The address cannot be accepted.
    #[error("{}", .0.english())]
    Field(Message),
    /// Too many mails to this address.
    #[error("too many mails to this address")]
    TooSoon(Duration),
    /// There is no such account any more.
    #[error("there is no such account")]
    NoSuchUser,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ChangeEmailError {
    fn from(error: StoreError) -> Self {
        ChangeEmailError::Failed(error.into())
    }
}

/// Mails link and code to a new address, in place of a change that was begun before. Whoever asks is not told whether
/// the address is another account's: its owner is.
pub async fn begin_email_change(
    app: &App,
    user: UserId,
    address: &str,
    locale: Locale,
) -> Result<(), ChangeEmailError> {
    let email = Email::parse(address).map_err(ChangeEmailError::Field)?;
    let limit = RateLimit::MailTo(&email.key());
    app.rate_limiter.check(limit).await.map_err(|refused| refused.or(ChangeEmailError::TooSoon))?;
    let mut tx = app.store.begin().await?;
    let user = tx.user_lock(user).await?.ok_or(ChangeEmailError::NoSuchUser)?;
    if Email::stored(&user.email).key() == email.key() {
        return Err(ChangeEmailError::Field(Message::new("email-change-same")));
    }
    let earlier = tx.account_token_of_user(user.id, Kind::EmailChange).await?;
    let mut row = draft(app, Kind::EmailChange, Some(user.id), &email, None)?;
    row.code_failures = earlier.map_or(0, |earlier| earlier.code_failures);
    tx.account_tokens_delete_of_user(user.id, Kind::EmailChange).await?;
    let issued = Issued::of(app, row)?;
    issued.store(&mut tx).await?;
    let availability = availability_of(&mut tx, &issued.row).await?;
    if availability == EmailAvailability::Taken {
        send_taken(app, &mut tx, &issued.row, locale).await?;
    } else {
        send(app, &mut tx, &issued, Recipient { username: Some(&user.username), replaces_account: false }, locale)
            .await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The change that waits for the proof of its address.
pub async fn pending_email(app: &App, user: UserId) -> Result<Option<AccountTokenRow>, Error> {
    let row = app.store.read().await?.account_token_of_user(user, Kind::EmailChange).await?;
    Ok(row.filter(|row| app.clock.now() < row.expires_at))
}

/// Ends the change that waits. How many wrong codes were typed stays known: whoever guesses codes does not get more tries
/// by beginning anew.
pub async fn cancel_email_change(app: &App, user: UserId) -> Result<(), Error> {
    let mut tx = app.store.begin_single().await?;
    tx.account_tokens_void(user, Kind::EmailChange).await?;
    Ok(tx.commit().await?)
}

/// Gives the account of whoever is logged in the address that a link or a code proves.
pub async fn confirm_email_change(
    app: &App,
    proof: Proof<'_>,
    user: UserId,
    (by, locale): (&By, Locale),
) -> Result<(), ProveError> {
    let mut conn = app.store.read().await?;
    let row = match proof {
        Proof::Link(token) => look_up(app, &mut conn, TokenPurpose::EmailVerification, token).await?,
        Proof::Code(id, _) => conn.account_token_find(id).await?,
    };
    let row = row.filter(|row| row.kind == Kind::EmailChange).ok_or(ProveError::Unknown)?;
    if row.user_id != Some(user) {
        return Err(ProveError::NotHolder);
    }
    drop(conn);
    let mut tx = app.store.begin().await?;
    let user = tx.user_lock_in(user, by.session()).await?.ok_or(ProveError::Unknown)?;
    let (mut tx, row) = checked(app, tx, row.id, proof).await?;
    if availability_of(&mut tx, &row).await? == EmailAvailability::Taken {
        return Err(ProveError::AddressTaken);
    }
    apply(app, &mut tx, &user, &row, (by, locale)).await?;
    tx.commit().await?;
    tracing::info!(user = %user.id, "e-mail address changed");
    Ok(())
}

async fn apply(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    row: &AccountTokenRow,
    (by, locale): (&By, Locale),
) -> Result<(), ProveError> {
    match tx.user_set_email(user.id, &row.email, &row.email_key).await {
        Err(StoreError::Constraint(Constraint::UserEmail)) => return Err(ProveError::AddressTaken),
        outcome => outcome?,
    }
    tx.outbox_push(&Event::UserUpdated { user_id: user.id }).await?;
    // What was mailed to the old address, or about it, is void.
    for kind in [Kind::EmailChange, Kind::PasswordReset, Kind::Verification] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    tx.account_tokens_delete_sign_ups(&row.email_key).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::EmailChanged, user.id, by)).await?;
    // An address that was never proved may be a stranger's, who is told but must not get an account by it.
    if user.email_verified_at.is_none() {
        mail::queue_in(app, tx, (&user.email, locale), Mail::EmailLeft).await?;
        return Ok(());
    }
    let undo = draft(app, Kind::EmailUndo, Some(user.id), &Email::stored(&user.email), None)?;
    let undo = Issued::of(app, undo)?;
    undo.store(tx).await?;
    let (token, expires_at) = (&undo.token, undo.row.expires_at);
    let mail = Mail::EmailChanged { user: user.id, username: &user.username, token, expires_at };
    mail::queue_in(app, tx, (&user.email, locale), mail).await?;
    Ok(())
}
