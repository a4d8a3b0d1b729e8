//! Requests verification of an account's email address.

use super::mails::send;
use super::token::{IssueOptions, IssuedToken, RESEND_INTERVAL, draft};
use crate::context::App;
use crate::domain::change::lock_account;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete::StoppedLogin;
use crate::domain::login::pending::{self, Outstanding, PendingLogin};
use crate::error::Error;
use crate::mail;
use crate::messages::{Locale, Message};
use crate::model::change::AccountChange;
use crate::model::ids::{AccountTokenId, UserId};
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::refusal::{ChangeError, Refusal};
use crate::store::{AccountTokenRow, Tx, UserRow};
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
        match check_resend_limit(app, tx, Some(earlier), own_limit(user)).await {
            Ok(()) => {}
            Err(RateLimitError::Exceeded(_)) => return Ok(earlier.id),
            Err(RateLimitError::Failed(error)) => return Err(error.into()),
        }
    }
    issue_to_own(app, tx, user, earlier, options).await
}

/// What a user must do before the login that an unverified address stopped.
pub enum VerificationStep {
    /// Use the link or code that was just mailed.
    Verify(AccountTokenId),
    /// Enter an email address, as the account has none.
    EnterAddress(PendingLogin),
}

/// Emails link and code to the user of a login that needs one of them too. Returns `None` if neither is needed any more.
pub async fn request_verification(
    app: &App,
    principal: &Principal,
    stopped: &StoppedLogin,
    options: IssueOptions<'_>,
) -> Result<Option<VerificationStep>, Error> {
    let mut tx = app.store.begin(principal, Operation::RequestMail).await?;
    let Some(user) = tx.user_lock(stopped.user).await? else { return Ok(None) };
    if user.email_verified_at.is_some() && !tx.lost_factor_exists(user.id).await? {
        return Ok(None);
    }
    let step = if is_placeholder(&user.email) {
        let (begun, outstanding) = (stopped.shown.clone(), Outstanding::EmailAddress);
        VerificationStep::EnterAddress(pending::begin_pending_login(app, &mut tx, &user, begun, outstanding).await?)
    } else {
        VerificationStep::Verify(request(app, &mut tx, &user, options).await?)
    };
    tx.commit().await?;
    Ok(Some(step))
}

/// Issues and emails a token for the account's own address, replacing an earlier one.
async fn issue_to_own(
    app: &App,
    tx: &mut Tx,
    user: &UserRow,
    earlier: Option<AccountTokenRow>,
    options: IssueOptions<'_>,
) -> Result<AccountTokenId, Error> {
    let address = EmailAddress::from_stored(&user.email);
    let mut row = draft(app, AccountTokenKind::Verification, Some(user.id), &address, options.return_to)?;
    if let Some(earlier) = earlier.as_ref().filter(|earlier| earlier.email == row.email) {
        row.id = earlier.id;
    }
    let issued = issue(app, tx, row, earlier, AccountTokenKind::Verification.link_ttl()).await?;
    send(app, tx, &issued, Some(user), options.locale).await?;
    Ok(issued.row.id)
}

/// Issues the token of a row, replacing an earlier one of its account.
pub(in crate::domain) async fn issue(
    app: &App,
    tx: &mut Tx,
    mut row: AccountTokenRow,
    earlier: Option<AccountTokenRow>,
    ttl: Duration,
) -> Result<IssuedToken, Error> {
    if let Some(earlier) = earlier {
        row.return_to = row.return_to.or(earlier.return_to);
        if earlier.id == row.id && earlier.email == row.email {
            // The code that was mailed before is told from a wrong one.
            row.code_hash = earlier.code_hash;
        }
        // Wrong codes stay counted.
        if let Some(user) = row.user_id {
            tx.account_tokens_delete_of_user(user, AccountTokenKind::Verification).await?;
        }
    }
    let issued = IssuedToken::issue_for(app, row, ttl)?;
    issued.store(tx).await?;
    Ok(issued)
}

/// No email is to be sent: nothing waits for one.
pub const NOTHING_PENDING: Refusal = Refusal::NotFound("pending verification");

/// Emails a new link and a new code, which replace the previous ones.
pub async fn resend(app: &App, principal: &Principal, id: AccountTokenId, locale: Locale) -> Result<(), ChangeError> {
    let now = app.clock.now();
    let mut tx = app.store.begin(principal, Operation::RequestMail).await?;
    let Some(row) = tx.account_token_lock(id).await?.filter(|row| now < row.expires_at) else {
        return Err(NOTHING_PENDING.into());
    };
    let user = match row.user_id {
        Some(user) => tx.user_find(user).await?,
        None => None,
    };
    let ttl = match &user {
        Some(user) if row.kind == AccountTokenKind::Verification && is_placeholder(&user.email) => {
            let waiting = pending::find_mailed(app, &mut tx, user, row.id).await?;
            waiting.ok_or(NOTHING_PENDING)?.expires_at.since(now)
        }
        _ => row.kind.link_ttl(),
    };
    let limit = match &user {
        Some(user) if user.email == row.email => own_limit(user),
        _ => RateLimit::MailTo(&row.email_key),
    };
    check_resend_limit(app, &mut tx, Some(&row), limit).await?;
    let mut issued = IssuedToken::issue_for(app, row, ttl)?;
    issued.row.language = issued.row.language.map(|_| locale);
    issued.replace(&mut tx).await?;
    send(app, &mut tx, &issued, user.as_ref(), locale).await?;
    tx.commit().await?;
    Ok(())
}

/// Emails link and code, again or for the first time, to the logged-in account, whose address is not verified.
pub async fn resend_to_own(app: &App, principal: &Principal, locale: Locale) -> Result<(), ChangeError> {
    let user = principal.user_id().ok_or(NOTHING_PENDING)?;
    let mut tx = app.store.begin(principal, Operation::RequestMail).await?;
    let waits = |user: &UserRow| user.email_verified_at.is_none() && !is_placeholder(&user.email);
    let user = tx.user_lock(user).await?.filter(waits).ok_or(NOTHING_PENDING)?;
    let earlier = tx.account_token_of_user(user.id, AccountTokenKind::Verification).await?;
    check_resend_limit(app, &mut tx, earlier.as_ref(), own_limit(&user)).await?;
    issue_to_own(app, &mut tx, &user, earlier, IssueOptions { return_to: None, locale }).await?;
    tx.commit().await?;
    Ok(())
}

/// Emails link and code, again or for the first time, to an account whose address is not verified, as an operator asks.
pub async fn resend_to(app: &App, principal: &Principal, user: UserId) -> Result<(), ChangeError> {
    let mut tx = app.store.begin(principal, Operation::SendVerification).await?;
    let user = lock_account(&mut tx, user).await?;
    if is_placeholder(&user.email) {
        return Err(refused_address(Message::new("email-missing")));
    }
    if user.email_verified_at.is_some() {
        return Err(refused_address(Message::new("email-verified")));
    }
    let earlier = tx.account_token_of_user(user.id, AccountTokenKind::Verification).await?;
    check_resend_limit(app, &mut tx, earlier.as_ref(), own_limit(&user)).await?;
    let options = IssueOptions { return_to: None, locale: mail::language(app, &user) };
    issue_to_own(app, &mut tx, &user, earlier, options).await?;
    tx.record_account(user.id, AccountChange::VerificationSent).await?;
    tx.commit().await?;
    Ok(())
}

fn refused_address(email: Message) -> ChangeError {
    Refusal::field("email", email).into()
}

/// Returns `None` if the address of the account is verified; otherwise the verification token, if one is still valid.
pub async fn unverified(
    app: &App,
    principal: &Principal,
    user: UserId,
) -> Result<Option<Option<AccountTokenRow>>, Error> {
    let now = app.clock.now();
    let mut conn = app.store.read_own(principal, Operation::ReadOwnAccount, user).await?;
    if conn.user_find(user).await?.is_none_or(|user| user.email_verified_at.is_some()) {
        return Ok(None);
    }
    let row = conn.account_token_of_user(user, AccountTokenKind::Verification).await?;
    Ok(Some(row.filter(|row| now < row.expires_at)))
}

/// The limit of emails to the address of an account, requested in its session or with its password.
pub(super) fn own_limit(user: &UserRow) -> RateLimit<'_> {
    RateLimit::MailToOwn(&user.email)
}

/// Returns [`RateLimitError`] if an email cannot be sent now; `last` is the one before.
pub(super) async fn check_resend_limit(
    app: &App,
    tx: &mut Tx,
    last: Option<&AccountTokenRow>,
    limit: RateLimit<'_>,
) -> Result<(), RateLimitError> {
    let now = app.clock.now();
    if let Some(next) = last.map(|last| last.sent_at + RESEND_INTERVAL).filter(|next| now < *next) {
        return Err(RateLimitError::Exceeded(next.since(now)));
    }
    app.rate_limiter.check_in(tx, [limit]).await
}
