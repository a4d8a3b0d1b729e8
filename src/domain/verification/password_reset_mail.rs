//! Mails links that set a password, as operators and applications' backends ask for them.

use super::password_reset::issue_reset_token;
use crate::context::App;
use crate::domain::change::{Change, lock_account};
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::mailed_token::token::{IssuedToken, draft};
use crate::mail::{self, Mail};
use crate::messages::Message;
use crate::model::change::AccountChange;
use crate::model::ids::UserId;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::Operation;
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::RateLimit;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Tx, UserRow};

/// Mails a user a link to set a new password.
pub struct SendReset {
    pub user: UserId,
}

impl Change for SendReset {
    const OPERATION: Operation = Operation::SendPasswordReset;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = lock_account(tx, self.user).await?;
        if is_placeholder(&user.email) {
            return Err(Refusal::field("email", Message::new("email-missing")).into());
        }
        let address = EmailAddress::from_stored(&user.email);
        app.rate_limiter.check_in(tx, [RateLimit::ResetLinkTo(&address.key())]).await?;
        let issued = issue_reset_token(app, tx, user.id, &address, None).await?;
        let mail = Mail::ResetPassword { user: user.id, token: &issued.token, expires_at: issued.row.expires_at };
        mail::queue(app, tx, &user.email, mail::language(app, &user), mail).await?;
        Ok(tx.record_account(user.id, AccountChange::PasswordResetSent).await?)
    }
}

/// Mails a user who has no password yet the link to set the first one again.
pub struct SendFirst {
    pub user: UserId,
}

impl Change for SendFirst {
    const OPERATION: Operation = Operation::SendPasswordReset;
    type Made = ();

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let user = lock_account(tx, self.user).await?;
        first_password(app, tx, &user).await?;
        Ok(tx.record_account(user.id, AccountChange::PasswordResetSent).await?)
    }
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
