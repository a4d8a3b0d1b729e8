//! Why a user cannot log in: what stands in the way now, and how their attempts ended.

use crate::context::App;
use crate::error::Error;
use crate::model::ids::UserId;
use crate::model::list_place::ListPlace;
use crate::model::mail_domain;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::model::verification::AccountTokenKind;
use crate::rate_limit::RefusedLogin;
use crate::settings::EmailVerification;
use crate::store::{AuditRow, Conn, DeliveryState, MailFilter, MailRow, StoreError, UserRow};
use std::net::IpAddr;

const ATTEMPTS: i64 = 20;
const MAILS: i64 = 5;
/// Of the addresses of the latest attempts, those whose limits are read.
const ADDRESSES: usize = 3;

/// Why a user cannot log in.
#[derive(Debug)]
pub struct LoginStatus {
    /// What stands in the way now; none if the account could log in.
    pub blockers: Vec<LoginBlocker>,
    /// The latest attempts, the latest first; refusals by limits included.
    pub attempts: Vec<AuditRow>,
}

/// What stands in the way of a login.
#[derive(Clone, Debug)]
pub enum LoginBlocker {
    Disabled {
        since: Time,
    },
    /// The email address must be verified first, and is not.
    Unverified,
    /// There is neither password nor passkey, nor an account at a provider that exists.
    NoWayIn {
        /// How long a mailed link to set a password is valid.
        link_until: Option<Time>,
    },
    Limited(RefusedLogin),
    MailFailed(Box<MailRow>),
}

/// Reads what stands in the way of a user's login; `None` if there is no such user.
pub async fn login_status(app: &App, principal: &Principal, user: UserId) -> Result<Option<LoginStatus>, Error> {
    let mut conn = app.store.read(principal, Operation::ReadActivity).await?;
    let Some(row) = conn.user_find(user).await? else { return Ok(None) };
    let attempts = conn.audit_attempts(user, ATTEMPTS).await?;
    let mut blockers: Vec<LoginBlocker> =
        row.disabled_at.map(|since| LoginBlocker::Disabled { since }).into_iter().collect();
    if app.settings.accounts.email_verification == EmailVerification::Required && row.email_verified_at.is_none() {
        blockers.push(LoginBlocker::Unverified);
    }
    if !has_way_in(&mut conn, &row).await? {
        let link = conn.account_token_of_user(user, AccountTokenKind::PasswordReset).await?;
        let link_until = link.map(|link| link.expires_at).filter(|until| *until > app.clock.now());
        blockers.push(LoginBlocker::NoWayIn { link_until });
    }
    let refused = app.rate_limiter.refused_logins(&mut conn, &row, &addresses(&attempts)).await?;
    blockers.extend(refused.into_iter().map(LoginBlocker::Limited));
    let mails = failed_mails(&mut conn, &row).await?;
    blockers.extend(mails.into_iter().map(|mail| LoginBlocker::MailFailed(Box::new(mail))));
    Ok(Some(LoginStatus { blockers, attempts }))
}

async fn has_way_in(conn: &mut Conn, user: &UserRow) -> Result<bool, StoreError> {
    if user.password_hash.is_some() || !conn.passkeys_of_user(user.id).await?.is_empty() {
        return Ok(true);
    }
    let identities = conn.identities_of_user(user.id).await?;
    if identities.is_empty() {
        return Ok(false);
    }
    let providers = conn.providers_list().await?;
    Ok(identities.iter().any(|identity| providers.iter().any(|row| row.provider.issuer == identity.issuer)))
}

/// The addresses of the latest attempts, the latest first.
fn addresses(attempts: &[AuditRow]) -> Vec<IpAddr> {
    let mut addresses: Vec<IpAddr> = Vec::new();
    for address in attempts.iter().filter_map(|attempt| attempt.address.parse().ok()) {
        if addresses.len() < ADDRESSES && !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

/// The latest mails to the address that failed and are kept.
async fn failed_mails(conn: &mut Conn, user: &UserRow) -> Result<Vec<MailRow>, StoreError> {
    if is_placeholder(&user.email) {
        return Ok(Vec::new());
    }
    let key = mail_domain::key(&user.email);
    let filter = MailFilter { state: Some(DeliveryState::Failed), recipient_key: Some(&key) };
    conn.mails_list(&filter, ListPlace::START, MAILS).await
}
