//! Requests verification of an account's email address.

use super::mails::{Recipient, send, send_address_taken};
use super::token::{IssueOptions, IssuedToken, RESEND_INTERVAL, draft};
use crate::context::App;
use crate::domain::account::identity::EmailAddress;
use crate::domain::registration::availability::{EmailAvailability, availability_of};
use crate::error::Error;
use crate::messages::Locale;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::{AccountTokenRow, StoreError, Tx, UserRow};
use std::time::Duration;

/// Emails link and code to an account with an unverified address, in the caller's transaction. If the last email was
/// sent a moment ago, it stays valid and no other is sent.
pub(in crate::domain) async fn request(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    options: IssueOptions<'_>,
) -> Result<AccountTokenId, Error> {
    let earlier = tx.account_token_of_user(user.id, AccountTokenKind::Verification).await?;
    let now = app.clock.now();
    if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.email == user.email && now < earlier.expires_at) {
        match check_resend_limit(app, tx, earlier).await {
            Ok(()) => {}
            Err(RateLimitError::Exceeded(_)) => return Ok(earlier.id),
            Err(RateLimitError::Failed(error)) => return Err(error.into()),
        }
    }
    issue(app, tx, user, earlier, options).await
}

/// Emails link and code to a user who sent the right password and must verify the address before logging in.
pub async fn request_verification(
    app: &App,
    user: UserId,
    options: IssueOptions<'_>,
) -> Result<Option<AccountTokenId>, Error> {
    let mut tx = app.store.begin().await?;
    let Some(user) = tx.user_lock(user).await?.filter(|user| user.email_verified_at.is_none()) else {
        return Ok(None);
    };
    let token = request(app, &mut tx, &user, options).await?;
    tx.commit().await?;
    Ok(Some(token))
}

/// Issues and emails a token, replacing an earlier one.
async fn issue(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    earlier: Option<AccountTokenRow>,
    options: IssueOptions<'_>,
) -> Result<AccountTokenId, Error> {
    let email = EmailAddress::from_stored(&user.email);
    let mut row = draft(app, AccountTokenKind::Verification, Some(user.id), &email, options.return_to)?;
    if let Some(earlier) = earlier {
        // Wrong codes stay counted.
        row.code_failures = earlier.code_failures;
        row.return_to = row.return_to.or(earlier.return_to);
        tx.account_tokens_delete_of_user(user.id, AccountTokenKind::Verification).await?;
    }
    let issued = IssuedToken::issue(app, row)?;
    issued.store(tx).await?;
    send(app, tx, &issued, Recipient::default(), options.locale).await?;
    Ok(issued.row.id)
}

/// Why no other email was sent.
#[derive(Debug, thiserror::Error)]
pub enum ResendError {
    /// No verification is pending.
    #[error("no verification is pending")]
    NothingPending,
    /// The last email was sent a moment ago, or there were too many.
    #[error("the last mail was sent a moment ago")]
    TooSoon(Duration),
    /// An internal error.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ResendError {
    fn from(error: StoreError) -> Self {
        ResendError::Failed(error.into())
    }
}

/// Emails a new link and a new code, which replace the previous ones.
pub async fn resend(app: &App, id: AccountTokenId, locale: Locale) -> Result<(), ResendError> {
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let Some(row) = tx.account_token_lock(id).await?.filter(|row| now < row.expires_at) else {
        return Err(ResendError::NothingPending);
    };
    check_resend_limit(app, &mut tx, &row).await.map_err(|refused| refused.map_exceeded(ResendError::TooSoon))?;
    let availability = match row.kind {
        AccountTokenKind::Verification => EmailAvailability::Free,
        _ => availability_of(&mut tx, &row).await?,
    };
    let username = match row.user_id {
        Some(user) => tx.user_find(user).await?.map(|user| user.username),
        None => None,
    };
    let issued = IssuedToken::issue(app, row)?;
    issued.replace(&mut tx).await?;
    if availability == EmailAvailability::Taken {
        send_address_taken(app, &mut tx, &issued.row, locale).await?;
    } else {
        let replaces_account = availability == EmailAvailability::HeldUnverified;
        send(app, &mut tx, &issued, Recipient { username: username.as_deref(), replaces_account }, locale).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Emails link and code, again or for the first time, to an account whose address is not verified.
pub async fn resend_to_user(app: &App, user: UserId, locale: Locale) -> Result<(), ResendError> {
    let mut tx = app.store.begin().await?;
    let user =
        tx.user_lock(user).await?.filter(|user| user.email_verified_at.is_none()).ok_or(ResendError::NothingPending)?;
    let earlier = tx.account_token_of_user(user.id, AccountTokenKind::Verification).await?;
    if let Some(earlier) = &earlier {
        check_resend_limit(app, &mut tx, earlier)
            .await
            .map_err(|refused| refused.map_exceeded(ResendError::TooSoon))?;
    }
    issue(app, &mut tx, &user, earlier, IssueOptions { return_to: None, locale }).await?;
    tx.commit().await?;
    Ok(())
}

/// Returns `None` if the address of the account is verified; otherwise the verification token, if one is still valid.
pub async fn unverified(app: &App, user: UserId) -> Result<Option<Option<AccountTokenRow>>, Error> {
    let now = app.clock.now();
    let mut conn = app.store.read().await?;
    if conn.user_find(user).await?.is_none_or(|user| user.email_verified_at.is_some()) {
        return Ok(None);
    }
    let row = conn.account_token_of_user(user, AccountTokenKind::Verification).await?;
    Ok(Some(row.filter(|row| now < row.expires_at)))
}

/// Returns [`RateLimitError`] if another email cannot be sent now.
async fn check_resend_limit(app: &App, tx: &mut Tx, last: &AccountTokenRow) -> Result<(), RateLimitError> {
    let now = app.clock.now();
    let next = last.sent_at + RESEND_INTERVAL;
    if now < next {
        return Err(RateLimitError::Exceeded(next.since(now)));
    }
    let limit = match (last.kind, last.user_id) {
        (AccountTokenKind::Verification, Some(user)) => RateLimit::MailToOwn(user),
        _ => RateLimit::MailTo(&last.email_key),
    };
    app.rate_limiter.check_in(tx, limit).await
}
