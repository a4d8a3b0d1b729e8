//! The proof of an account's address is asked for.

use super::mails::{Recipient, send, send_taken};
use super::token::{Asked, Issued, RESEND_AFTER, draft};
use crate::context::App;
use crate::domain::account::identity::Email;
use crate::domain::registration::availability::{EmailAvailability, availability_of};
use crate::error::Error;
use crate::messages::Locale;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::verification::Kind;
use crate::rate_limit::{RateLimit, RateLimitError};
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
            Err(RateLimitError::Exceeded(_)) => return Ok(earlier.id),
            Err(RateLimitError::Failed(error)) => return Err(error.into()),
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
    send(app, tx, &issued, Recipient::default(), asked.locale).await?;
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
    let availability = match row.kind {
        Kind::Verification => EmailAvailability::Free,
        _ => availability_of(&mut tx, &row).await?,
    };
    let username = match row.user_id {
        Some(user) => tx.user_find(user).await?.map(|user| user.username),
        None => None,
    };
    let issued = Issued::of(app, row)?;
    issued.replace(&mut tx).await?;
    if availability == EmailAvailability::Taken {
        send_taken(app, &mut tx, &issued.row, locale).await?;
    } else {
        let replaces_account = availability == EmailAvailability::HeldUnverified;
        send(app, &mut tx, &issued, Recipient { username: username.as_deref(), replaces_account }, locale).await?;
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

/// RateLimitError if another mail cannot be sent now.
async fn must_wait(app: &App, tx: &mut Tx, last: &AccountTokenRow) -> Result<(), RateLimitError> {
    let now = app.clock.now();
    let next = last.sent_at + RESEND_AFTER;
    if now < next {
        return Err(RateLimitError::Exceeded(next.since(now)));
    }
    let limit = match (last.kind, last.user_id) {
        (Kind::Verification, Some(user)) => RateLimit::MailToOwn(user),
        _ => RateLimit::MailTo(&last.email_key),
    };
    app.rate_limiter.check_in(tx, limit).await
}
