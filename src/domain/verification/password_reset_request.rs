//! Requests for a password reset link, and the task that emails the links.
//!
//! Against account enumeration, the request is stored in the same way for every address, and a background task looks
//! the account up after the response: its timing reveals nothing. A stored request also survives the end of the
//! process.

use super::password_reset::issue_reset_token;
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::mailed_token::token::IssueOptions;
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::Locale;
use crate::model::ids::{MailId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::verification::AccountTokenKind;
use crate::random::{self, RandomError};
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::{ResetRequestRow, StoreError, Tx, UserRow};
use uuid::Uuid;

const BATCH_SIZE: i64 = 100;

/// Stores a request for a reset link, whether or not the address has an account.
pub async fn request_reset(
    app: &App,
    principal: &Principal,
    email: &EmailAddress,
    options: IssueOptions<'_>,
) -> Result<(), RateLimitError> {
    let now = app.clock.now();
    let id = random::uuid_v7(now).map_err(|error: RandomError| RateLimitError::Failed(StoreError::from(error)))?;
    let row = ResetRequestRow {
        id,
        email: email.as_str().to_owned(),
        locale: options.locale.tag().to_owned(),
        return_to: options.return_to.map(str::to_owned),
        created_at: now,
    };
    let mut tx = app.store.begin(principal, Operation::RequestMail).await?;
    if let Err(refused) = app.rate_limiter.check_in(&mut tx, [RateLimit::ResetLinkTo(&email.key())]).await {
        tx.rollback().await?;
        return Err(refused);
    }
    tx.reset_request_create(&row).await?;
    tx.commit().await?;
    app.reset_requested.notify_one();
    Ok(())
}

/// Emails the requested links. A request that fails does not block the others, and is retried on the next run.
pub async fn process_reset_requests(app: &App) -> Result<(), Error> {
    let process = Principal::process(&[Operation::SendResetLinks]);
    loop {
        let mut conn = app.store.read(&process, Operation::SendResetLinks).await?;
        let requests = conn.reset_requests_oldest(BATCH_SIZE).await?;
        drop(conn);
        let mut failed = None;
        for request in &requests {
            if let Err(error) = send(app, &process, request).await {
                failed = Some(error);
            }
        }
        match failed {
            Some(error) => return Err(error),
            None if requests.len() < usize::try_from(BATCH_SIZE).unwrap_or(usize::MAX) => return Ok(()),
            None => {}
        }
    }
}

/// Emails the link if there is an account.
async fn send(app: &App, process: &Principal, request: &ResetRequestRow) -> Result<(), Error> {
    let email = EmailAddress::from_stored(&request.email);
    let mut conn = app.store.read(process, Operation::SendResetLinks).await?;
    let found = conn.user_find_by_email(&email.key()).await?;
    drop(conn);
    let found = found.filter(|user| user.disabled_at.is_none());
    let mut tx = app.store.begin(process, Operation::SendResetLinks).await?;
    let sent_to = queue(app, &mut tx, request, email, found).await?;
    tx.commit().await?;
    if let Some(user) = sent_to {
        tracing::info!(%user, "password reset requested");
    }
    Ok(())
}

/// Returns the account. Without one it runs the same statements and discards the email at the end, so that the timing
/// does not permit account enumeration.
async fn queue(
    app: &App,
    tx: &mut Tx,
    request: &ResetRequestRow,
    email: EmailAddress,
    found: Option<UserRow>,
) -> Result<Option<UserId>, Error> {
    // It may have expired while the service was not running.
    let is_valid = app.clock.now() < request.created_at + AccountTokenKind::PasswordReset.link_ttl();
    if !tx.reset_request_delete(request.id).await? || !is_valid {
        return Ok(None);
    }
    // No account has this id.
    let no_user = UserId(Uuid::nil());
    let locked = tx.user_lock(found.as_ref().map_or(no_user, |user| user.id)).await?;
    let user = locked.filter(|locked| found.is_some_and(|found| found.email == locked.email));
    let id = user.as_ref().map_or(no_user, |user| user.id);
    // To the address as the account stores it: another spelling could be another mailbox.
    let address = user.as_ref().map_or(email, |user| EmailAddress::from_stored(&user.email));
    let issued = issue_reset_token(app, tx, id, &address, request.return_to.as_deref()).await?;
    let mail = Mail::ResetPassword { user: id, token: &issued.token, expires_at: issued.row.expires_at };
    let requested = Locale::parse(&request.locale).unwrap_or_default();
    let locale = user.as_ref().and_then(|user| user.language).unwrap_or(requested);
    let queued = mail::queue(app, tx, address.as_str(), locale, mail).await?;
    tx.mail_discard(if user.is_some() { MailId(Uuid::nil()) } else { queued }).await?;
    Ok(user.map(|user| user.id))
}
