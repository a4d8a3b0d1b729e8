//! The email address of an account that lost its own to the owner of the address, where login requires a verified one
//! (docs/concepts/decisions/0007-whose-account-holds-an-address.md). Who showed every factor enters an address;
//! verifying it sets it, and the login starts again. Elsewhere the account changes its address as any other.

use super::email_change::ChangeEmailError;
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::pending::{self, Outstanding};
use crate::domain::mailed_token::mails::send;
use crate::domain::mailed_token::request::issue;
use crate::domain::mailed_token::token::IssueOptions;
use crate::model::device::Device;
use crate::model::ids::AccountTokenId;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::RateLimit;

/// Emails link and code to the entered address. `token` is that of the pending login; a login that has expired, or
/// whose account has an address meanwhile, is [`ChangeEmailError::NoSuchUser`].
pub async fn enter_address(
    app: &App,
    device: &Device,
    token: &str,
    address: &str,
    options: IssueOptions<'_>,
) -> Result<AccountTokenId, ChangeEmailError> {
    let email = EmailAddress::parse(address).map_err(ChangeEmailError::Field)?;
    let mut tx = app.store.begin(&Principal::anonymous(device.clone()), Operation::PresentSecret).await?;
    let locked = pending::lock_pending_login(app, &mut tx, token, Outstanding::EmailAddress).await?;
    let user = locked.map(|(_, user)| user).filter(|user| is_placeholder(&user.email));
    let user = user.ok_or(ChangeEmailError::NoSuchUser)?;
    tx.continue_as(&Principal::between_factors(user.id, device.clone()), Operation::EnterAddress)?;
    tx.require_own(user.id)?;
    // Only now: else anyone could use up what may be mailed to an address.
    let limit = app.rate_limiter.check_in(&mut tx, [RateLimit::MailTo(&email.key())]).await;
    limit.map_err(|refused| refused.map_exceeded(ChangeEmailError::TooSoon))?;
    let earlier = tx.account_token_of_user(user.id, AccountTokenKind::Verification).await?;
    let issued = issue(app, &mut tx, user.id, &email, earlier, options.return_to).await?;
    send(app, &mut tx, &issued, Some(&user), options.locale).await?;
    tx.commit().await?;
    Ok(issued.row.id)
}
