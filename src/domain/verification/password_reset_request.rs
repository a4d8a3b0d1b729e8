//! A link for a forgotten password is asked for, and mailed.
//!
//! What is asked for is written down before the answer, the same for every address, so that nothing is lost if the process
//! ends then. A task looks up whether there is an account, when the answer is given: its time tells nothing.

use super::password_reset::new_link;
use super::token::Asked;
use crate::context::App;
use crate::domain::account::identity::Email;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::model::ids::{MailId, UserId};
use crate::model::verification::Kind;
use crate::random::{self, RandomError};
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::{ResetRequestRow, StoreError};
use uuid::Uuid;

const BATCH: i64 = 100;

/// Notes that a link is wanted for an address, whether or not it has an account.
pub async fn request_reset(app: &App, email: &Email, asked: Asked<'_>) -> Result<(), RateLimitError> {
    let now = app.clock.now();
    let id = random::uuid_v7(now).map_err(|error: RandomError| RateLimitError::Failed(StoreError::from(error)))?;
    let row = ResetRequestRow {
        id,
        email: email.as_str().to_owned(),
        locale: asked.locale.tag().to_owned(),
        return_to: asked.return_to.map(str::to_owned),
        created_at: now,
    };
    let mut tx = app.store.begin().await?;
    if let Err(refused) = app.rate_limiter.check_in(&mut tx, RateLimit::MailTo(&email.key())).await {
        tx.rollback().await?;
        return Err(refused);
    }
    tx.reset_request_create(&row).await?;
    tx.commit().await?;
    app.reset_asked.notify_one();
    Ok(())
}

/// Mails what was asked for. One request that fails does not hold up the others, and is tried again the next time.
pub async fn answer_reset_requests(app: &App) -> Result<(), Error> {
    loop {
        let requests = app.store.read().await?.reset_requests_oldest(BATCH).await?;
        let mut failed = None;
        for request in &requests {
            if let Err(error) = answer(app, request).await {
                failed = Some(error);
            }
        }
        match failed {
            Some(error) => return Err(error),
            None if requests.len() < usize::try_from(BATCH).unwrap_or(usize::MAX) => return Ok(()),
            None => {}
        }
    }
}

/// Mails the link, if there is an account; without one the same statements are run, and in the end what they wrote is
/// removed again.
async fn answer(app: &App, request: &ResetRequestRow) -> Result<(), Error> {
    let email = Email::stored(&request.email);
    let found = app.store.read().await?.user_find_by_email(&email.key()).await?;
    let found = found.filter(|user| user.disabled_at.is_none());
    let mut tx = app.store.begin().await?;
    if !tx.reset_request_delete(request.id).await? {
        return Ok(tx.rollback().await?);
    }
    // A link that nobody waits for any more, as the service was not running.
    if request.created_at + Kind::PasswordReset.link_ttl() <= app.clock.now() {
        return Ok(tx.commit().await?);
    }
    // Nobody has this id.
    let nobody = UserId(Uuid::nil());
    let locked = tx.user_lock(found.as_ref().map_or(nobody, |user| user.id)).await?;
    let user = locked.filter(|locked| found.is_some_and(|found| found.email == locked.email));
    let id = user.as_ref().map_or(nobody, |user| user.id);
    // To the address as the account has it: another spelling could be another mailbox.
    let address = user.as_ref().map_or(email, |user| Email::stored(&user.email));
    let issued = new_link(app, &mut tx, id, &address, request.return_to.as_deref()).await?;
    let mail = Mail::ResetPassword { user: id, token: &issued.token, expires_at: issued.row.expires_at };
    let locale = Locale::parse(&request.locale).unwrap_or_default();
    let queued = mail::queue_in(app, &mut tx, (address.as_str(), locale), mail).await?;
    tx.mail_discard(if user.is_some() { MailId(Uuid::nil()) } else { queued }).await?;
    tx.commit().await?;
    if user.is_some() {
        tracing::info!(user = %id, "a new password was asked for");
    }
    Ok(())
}
