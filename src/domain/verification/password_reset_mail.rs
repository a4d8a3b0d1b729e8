//! Mails links that set a password, as operators and applications' backends ask for them.

use super::password_reset::issue_reset_token;
use crate::context::App;
use crate::domain::ending::Ending;
use crate::domain::identity::field_errors::FieldErrors;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::mailed_token::token::{IssuedToken, draft};
use crate::mail::{self, Mail};
use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::RateLimit;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Tx, UserRow};

/// Mails a user a link to set a new password.
pub async fn send_reset<N: Ending<()>>(
    app: &App,
    principal: &Principal,
    user: UserId,
    ending: N,
) -> Result<N::Output, ChangeError> {
    let mut tx = app.store.begin(principal, Operation::SendPasswordReset).await?;
    let user = tx.user_lock(user).await?.ok_or(Refusal::NotFound("user"))?;
    tx.require_changeable(&user)?;
    if is_placeholder(&user.email) {
        let errors = FieldErrors { email: Some(Message::new("email-missing")), ..FieldErrors::default() };
        return Err(Refusal::from(errors).into());
    }
    let address = EmailAddress::from_stored(&user.email);
    let limited = app.rate_limiter.check_in(&mut tx, [RateLimit::ResetLinkTo(&address.key())]).await;
    limited?;
    let issued = issue_reset_token(app, &mut tx, user.id, &address, None).await?;
    let mail = Mail::ResetPassword { user: user.id, token: &issued.token, expires_at: issued.row.expires_at };
    mail::queue(app, &mut tx, &user.email, mail::language(app, &user), mail).await?;
    tx.record_account(user.id, AccountChange::PasswordResetSent).await?;
    Ok(ending.end(app, tx, ()).await?)
}

/// Mails a user who has no password yet the link to set the first one again.
pub async fn send_first(app: &App, principal: &Principal, user: UserId) -> Result<(), ChangeError> {
    let mut tx = app.store.begin(principal, Operation::SendPasswordReset).await?;
    let user = tx.user_lock(user).await?.ok_or(Refusal::NotFound("user"))?;
    tx.require_changeable(&user)?;
    first_password(app, &mut tx, &user).await?;
    tx.record_account(user.id, AccountChange::PasswordResetSent).await?;
    tx.commit().await?;
    Ok(())
}

/// Mails the link with which the user of a new account sets a password; it works as long as an invitation. To an address
/// whose account is deleted and made again as often as a stranger may mail it.
pub(in crate::domain) async fn first_password(app: &App, tx: &mut Tx, user: &UserRow) -> Result<(), ChangeError> {
    let address = EmailAddress::from_stored(&user.email);
    let limited = app.rate_limiter.check_in(tx, [RateLimit::MailTo(&address.key())]).await;
    limited?;
    let row = draft(app, AccountTokenKind::PasswordReset, Some(user.id), &address, None)?;
    let issued = IssuedToken::issue_for(app, row, app.settings.accounts.invitation_ttl)?;
    issued.store(tx).await?;
    let mail = Mail::SetPassword { user: user.id, token: &issued.token, expires_at: issued.row.expires_at };
    mail::queue(app, tx, &user.email, mail::language(app, user), mail).await?;
    Ok(())
}
