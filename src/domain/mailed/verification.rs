//! The proof of an account's address is asked for.

use super::Kind;
use super::issue::{Asked, CODE_TTL, Issued, RESEND_AFTER, draft};
use super::sign_up::{Standing, send_taken, standing};
use crate::app::App;
use crate::domain::Error;
use crate::domain::accounts::Email;
use crate::domain::ids::{AccountTokenId, UserId};
use crate::limits::{self, Limited, Refused};
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::store::{AccountTokenRow, StoreError, Tx, UserRow};
use std::time::Duration;

/// Mails link and code to an account whose address is not proved, in the transaction of the action that leads to it. One
/// that was sent a moment ago stays good instead.
pub(in crate::domain) async fn request(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    asked: Asked<'_>,
) -> Result<AccountTokenId, Error> {
    let earlier = tx.account_token_of_user(user.id, Kind::Verification).await?;
    let now = app.clock.now();
    if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.email == user.email && now < earlier.expires_at) {
        match must_wait(app, tx, earlier).await {
            Ok(()) => {}
            Err(Refused::Wait(_)) => return Ok(earlier.id),
            Err(Refused::Failed(error)) => return Err(error.into()),
        }
    }
    issue(app, tx, user, earlier, asked).await
}

/// Mails link and code to an account that gave its password and must prove its address before it is let in.
pub async fn request_proof(app: &App, user: UserId, asked: Asked<'_>) -> Result<Option<AccountTokenId>, Error> {
    let mut tx = app.store.begin().await?;
    let Some(user) = tx.user_lock(user).await?.filter(|user| user.email_verified_at.is_none()) else {
        return Ok(None);
    };
    let waits = request(app, &mut tx, &user, asked).await?;
    tx.commit().await?;
    Ok(Some(waits))
}

/// The mail, in place of an earlier one.
async fn issue(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    earlier: Option<AccountTokenRow>,
    asked: Asked<'_>,
) -> Result<AccountTokenId, Error> {
    let email = Email::stored(&user.email);
    let mut row = draft(app, Kind::Verification, Some(user.id), &email, asked.return_to)?;
    if let Some(earlier) = earlier {
        // What was tried wrongly before stays known.
        row.code_failures = earlier.code_failures;
        row.return_to = row.return_to.or(earlier.return_to);
        tx.account_tokens_delete_of_user(user.id, Kind::Verification).await?;
    }
    let issued = Issued::of(app, row)?;
    issued.store(tx).await?;
    send(app, tx, &issued, (None, Standing::Free), asked.locale).await?;
    Ok(issued.row.id)
}

/// Why no other mail was sent.
#[derive(Debug, thiserror::Error)]
pub enum ResendError {
    /// There is nothing that waits for a proof any more.
    #[error("there is nothing to be proved")]
    Gone,
    /// The last one was sent a moment ago, or there were too many.
    #[error("the last mail was sent a moment ago")]
    TooSoon(Duration),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ResendError {
    fn from(error: StoreError) -> Self {
        ResendError::Failed(error.into())
    }
}

/// Mails another link and another code, which end those before them.
pub async fn resend(app: &App, id: AccountTokenId, locale: Locale) -> Result<(), ResendError> {
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let Some(row) = tx.account_token_lock(id).await?.filter(|row| now < row.expires_at) else {
        return Err(ResendError::Gone);
    };
    must_wait(app, &mut tx, &row).await.map_err(|refused| refused.or(ResendError::TooSoon))?;
    let standing = match row.kind {
        Kind::Verification => Standing::Free,
        _ => standing(&mut tx, &row).await?,
    };
    let username = match row.user_id {
        Some(user) => tx.user_find(user).await?.map(|user| user.username),
        None => None,
    };
    let issued = Issued::of(app, row)?;
    issued.replace(&mut tx).await?;
    if standing == Standing::Taken {
        send_taken(app, &mut tx, &issued.row, locale).await?;
    } else {
        send(app, &mut tx, &issued, (username.as_deref(), standing), locale).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Mails link and code once more, or for the first time, to an account whose address is not proved.
pub async fn resend_to(app: &App, user: UserId, locale: Locale) -> Result<(), ResendError> {
    let mut tx = app.store.begin().await?;
    let user = tx.user_lock(user).await?.filter(|user| user.email_verified_at.is_none()).ok_or(ResendError::Gone)?;
    let earlier = tx.account_token_of_user(user.id, Kind::Verification).await?;
    if let Some(earlier) = &earlier {
        must_wait(app, &mut tx, earlier).await.map_err(|refused| refused.or(ResendError::TooSoon))?;
    }
    issue(app, &mut tx, &user, earlier, Asked { return_to: None, locale }).await?;
    tx.commit().await?;
    Ok(())
}

/// The mail that asks an account for the proof of its address, if one is still good; `None` if nothing is to be proved.
pub async fn unproved(app: &App, user: UserId) -> Result<Option<Option<AccountTokenRow>>, Error> {
    let now = app.clock.now();
    let mut conn = app.store.read().await?;
    if conn.user_find(user).await?.is_none_or(|user| user.email_verified_at.is_some()) {
        return Ok(None);
    }
    let row = conn.account_token_of_user(user, Kind::Verification).await?;
    Ok(Some(row.filter(|row| now < row.expires_at)))
}

/// Refused if another mail cannot be sent now.
async fn must_wait(app: &App, tx: &mut Tx, last: &AccountTokenRow) -> Result<(), Refused> {
    let now = app.clock.now();
    let next = last.sent_at + RESEND_AFTER;
    if now < next {
        return Err(Refused::Wait(next.since(now)));
    }
    let limit = match (last.kind, last.user_id) {
        (Kind::Verification, Some(user)) => Limited::MailToOwn(user),
        _ => Limited::MailTo(&last.email_key),
    };
    limits::take_in(app, tx, limit).await
}

/// The mail with link and code.
pub(super) async fn send(
    app: &App,
    tx: &mut Tx,
    issued: &Issued,
    (username, standing): (Option<&str>, Standing),
    locale: Locale,
) -> Result<(), Error> {
    let AccountTokenRow { id, user_id, email, sent_at, expires_at, .. } = &issued.row;
    let (token, code) = (&issued.token, issued.code.text());
    let (code_expires_at, expires_at) = (*sent_at + CODE_TTL, *expires_at);
    let mail = match (issued.row.kind, user_id) {
        (Kind::EmailChange, Some(user)) => {
            let username = username.unwrap_or_default();
            Mail::ChangeEmail { user: *user, username, token, code, code_expires_at, expires_at }
        }
        (_, Some(user)) => Mail::VerifyEmail { user: *user, token, code, code_expires_at, expires_at },
        (_, None) => {
            let replaces = standing == Standing::GivesWay;
            Mail::ConfirmSignUp { sign_up: *id, token, code, code_expires_at, expires_at, replaces }
        }
    };
    mail::queue_in(app, tx, (email, locale), mail).await?;
    Ok(())
}
