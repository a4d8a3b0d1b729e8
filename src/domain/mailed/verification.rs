//! The proof of an account's address is asked for.

use super::Kind;
use super::issue::{CODE_TTL, Issued, RESEND_AFTER, draft};
use crate::app::App;
use crate::domain::Error;
use crate::domain::accounts::Email;
use crate::domain::ids::AccountTokenId;
use crate::limits::Limited;
use crate::mail::{self, Mail};
use crate::store::{AccountTokenRow, StoreError, Tx, UserRow};
use std::time::Duration;

/// Mails link and code to an account whose address is not proved, in the transaction of the action that leads to it. One
/// that was sent a moment ago stays good instead.
pub(in crate::domain) async fn request(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    return_to: Option<&str>,
) -> Result<AccountTokenId, Error> {
    let earlier = tx.account_token_of_user(user.id, Kind::Verification).await?;
    let now = app.clock.now();
    let email = Email::stored(&user.email);
    if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.email == user.email && now < earlier.expires_at)
        && (now < earlier.sent_at + RESEND_AFTER || app.limits.take(Limited::MailTo(&email.key()), now).is_err())
    {
        return Ok(earlier.id);
    }
    let mut row = draft(app, Kind::Verification, Some(user.id), &email, return_to)?;
    if let Some(earlier) = earlier {
        // What was tried wrongly before stays known.
        row.code_failures = earlier.code_failures;
        row.return_to = row.return_to.or(earlier.return_to);
        tx.account_tokens_delete_of_user(user.id, Kind::Verification).await?;
    }
    let issued = Issued::of(app, row)?;
    issued.store(tx).await?;
    send(app, tx, &issued, None).await?;
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
pub async fn resend(app: &App, id: AccountTokenId) -> Result<(), ResendError> {
    let now = app.clock.now();
    let mut tx = app.store.begin().await?;
    let Some(row) = tx.account_token_lock(id).await?.filter(|row| now < row.expires_at) else {
        return Err(ResendError::Gone);
    };
    if now < row.sent_at + RESEND_AFTER {
        return Err(ResendError::TooSoon((row.sent_at + RESEND_AFTER).since(now)));
    }
    app.limits.take(Limited::MailTo(&row.email_key), now).map_err(ResendError::TooSoon)?;
    let known = row.kind != Kind::Verification && super::sign_up::is_taken(&mut tx, &row).await?;
    let username = match row.user_id {
        Some(user) => tx.user_find(user).await?.map(|user| user.username),
        None => None,
    };
    let issued = Issued::of(app, row)?;
    issued.replace(&mut tx).await?;
    if known {
        super::sign_up::send_taken(app, &mut tx, &issued.row).await?;
    } else {
        send(app, &mut tx, &issued, username.as_deref()).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The mail with link and code.
pub(super) async fn send(app: &App, tx: &mut Tx, issued: &Issued, username: Option<&str>) -> Result<(), Error> {
    let AccountTokenRow { id, user_id, email, sent_at, expires_at, .. } = &issued.row;
    let (token, code) = (&issued.token, issued.code.text());
    let (code_expires_at, expires_at) = (*sent_at + CODE_TTL, *expires_at);
    let mail = match (issued.row.kind, user_id) {
        (Kind::EmailChange, Some(user)) => {
            let username = username.unwrap_or_default();
            Mail::ChangeEmail { user: *user, username, token, code, code_expires_at, expires_at }
        }
        (_, Some(user)) => Mail::VerifyEmail { user: *user, token, code, code_expires_at, expires_at },
        (_, None) => Mail::ConfirmSignUp { sign_up: *id, token, code, code_expires_at, expires_at },
    };
    mail::queue(app, tx, email, mail).await?;
    Ok(())
}
