//! The email address of an account that lost its own to the owner of the address, where login requires a verified one
//! (docs/concepts/decisions/0007-whose-account-holds-an-address.md). Who showed every factor enters an address;
//! verifying it sets it, and the login starts again. Elsewhere the account changes its address as any other.

use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::pending::{self, Outstanding};
use crate::domain::mailed_token::mails::send;
use crate::domain::mailed_token::own_code::has_own_means;
use crate::domain::mailed_token::request::issue;
use crate::domain::mailed_token::token::{IssueOptions, draft};
use crate::error::Error;
use crate::model::device::Device;
use crate::model::ids::AccountTokenId;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::RateLimit;
use crate::refusal::{ChangeError, Refusal};
use crate::store::{Conn, PendingLoginRow, StoreError, UserRow};

const NO_LOGIN: Refusal = Refusal::NotFound("login");

/// Whether a login may enter an address. The mails to it let their reader reset the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressEntry {
    Permitted,
    /// Only after a proof with the account's password or passkey: the login proved nothing recently.
    NeedsProof,
    /// The account has a platform role and nothing to prove itself with: an operator adds the address.
    ByOperator,
}

/// Whether the login with this token may enter an address; `None` if none is valid.
pub async fn entry(app: &App, principal: &Principal, token: &str) -> Result<Option<AddressEntry>, Error> {
    let mut conn = app.store.read(principal, Operation::PresentSecret).await?;
    match pending::find_valid(app, &mut conn, token, Outstanding::EmailAddress).await? {
        Some((row, user)) => Ok(Some(entry_of(app, &mut conn, &row, &user).await?)),
        None => Ok(None),
    }
}

pub(super) async fn entry_of(
    app: &App,
    conn: &mut Conn,
    row: &PendingLoginRow,
    user: &UserRow,
) -> Result<AddressEntry, StoreError> {
    let is_proved = row.begun.as_ref().is_some_and(|begun| begun.is_recently_proved(app.clock.now()));
    Ok(if is_proved {
        AddressEntry::Permitted
    } else if has_own_means(conn, user).await? {
        AddressEntry::NeedsProof
    } else if user.roles.is_empty() {
        AddressEntry::Permitted
    } else {
        AddressEntry::ByOperator
    })
}

/// Emails link and code to the entered address. `token` is that of the pending login; a login that has expired, or
/// whose account has an address meanwhile, or that may enter none, is [`Refusal::NotFound`].
pub async fn enter_address(
    app: &App,
    device: &Device,
    token: &str,
    address: &str,
    options: IssueOptions<'_>,
) -> Result<AccountTokenId, ChangeError> {
    let email = EmailAddress::parse(address).map_err(|why| Refusal::field("email", why))?;
    let mut tx = app.store.begin(&Principal::anonymous(device.clone()), Operation::PresentSecret).await?;
    let locked = pending::lock_pending_login(app, &mut tx, token, Outstanding::EmailAddress).await?;
    let (row, user) = locked.filter(|(_, user)| is_placeholder(&user.email)).ok_or(NO_LOGIN)?;
    if entry_of(app, &mut tx, &row, &user).await? != AddressEntry::Permitted {
        return Err(NO_LOGIN.into());
    }
    tx.continue_as(&Principal::between_factors(user.id, device.clone()), Operation::EnterAddress)?;
    tx.require_own(user.id)?;
    // Only now: else anyone could use up what may be mailed to an address.
    app.rate_limiter.check_in(&mut tx, [RateLimit::MailTo(&email.key())]).await?;
    let earlier = tx.account_token_of_user(user.id, AccountTokenKind::Verification).await?;
    let mut mailed = draft(app, AccountTokenKind::Verification, Some(user.id), &email, options.return_to)?;
    mailed.id = pending::mailed_id(&row);
    let ttl = row.expires_at.since(app.clock.now());
    let issued = issue(app, &mut tx, mailed, earlier, ttl).await?;
    send(app, &mut tx, &issued, Some(&user), options.locale).await?;
    tx.commit().await?;
    Ok(issued.row.id)
}
