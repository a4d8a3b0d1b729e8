//! A forgotten password: a mailed link sets a new one.

use super::link::look_up;
use super::token::{Issued, draft};
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::domain::account::identity::Email;
use crate::domain::account::{credentials, delete, new_password};
use crate::domain::registration::new_account::{self, Account, SignUpError, UsernameAttempts, written};
use crate::error::Error;
use crate::mail::{self, Mail};
use crate::messages::{Locale, Message};
use crate::model::audit::{AuditEntry, AuditKind, By};
use crate::model::device::Device;
use crate::model::ids::UserId;
use crate::model::roles::Roles;
use crate::model::session::EndReason;
use crate::model::verification::{Kind, TokenPurpose};
use crate::store::{AccountTokenRow, StoreError, Tx, UserRow};
use secrecy::SecretString;

/// Why no new password was set.
#[derive(Debug, thiserror::Error)]
pub enum ResetError {
    /// The link was used, replaced by a newer one, is over, or never was.
    #[error("the link is not valid")]
    Unknown,
    /// The password cannot be accepted.
    #[error("{}", .0.english())]
    Password(Message),
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for ResetError {
    fn from(error: StoreError) -> Self {
        ResetError::Failed(error.into())
    }
}

impl From<SignUpError> for ResetError {
    fn from(error: SignUpError) -> Self {
        match error {
            SignUpError::Failed(error) => ResetError::Failed(error),
            // Another account has the address by now.
            SignUpError::Fields(_) | SignUpError::InvitationVoid | SignUpError::TooSoon(_) => ResetError::Unknown,
        }
    }
}

pub(super) async fn new_link(
    app: &App,
    tx: &mut Tx,
    user: UserId,
    address: &Email,
    return_to: Option<&str>,
) -> Result<Issued, Error> {
    tx.account_tokens_delete_of_user(user, Kind::PasswordReset).await?;
    let issued = Issued::of(app, draft(app, Kind::PasswordReset, Some(user), address, return_to)?)?;
    issued.store(tx).await?;
    Ok(issued)
}

/// A link for somebody who has just shown with another mailed link that the address is theirs.
pub(super) async fn link_at_once(app: &App, tx: &mut Tx, user: UserId, address: &Email) -> Result<LinkToken, Error> {
    Ok(new_link(app, tx, user, address, None).await?.token)
}

/// The account of a link, if it is still good.
pub async fn find_reset(app: &App, token: &str) -> Result<Option<UserRow>, Error> {
    let mut conn = app.store.read().await?;
    let Some(row) = look_up(app, &mut conn, TokenPurpose::PasswordReset, token).await? else { return Ok(None) };
    let Some(user) = row.user_id else { return Ok(None) };
    Ok(conn.user_find(user).await?)
}

/// What becomes of an account whose address was never proved, as whoever proves it by a reset says: they alone know
/// whether they made it (docs/decisions/0007-accounts-that-give-way.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// It is theirs, and stays as it is, but for the ways to log in.
    Keep,
    /// It is not: it is deleted, and an empty one begins.
    BeginAnew,
}

/// A password that was set by a mailed link.
pub struct Reset {
    /// Whose.
    pub user: UserId,
    /// Where the flow is to end.
    pub return_to: Option<String>,
}

/// Sets a new password, which ends every session and proves the address. A second factor stays and is asked for at the
/// next log-in; but the ways to log in that an account had before its address was proved go, or the whole account.
pub async fn reset(
    app: &App,
    token: &str,
    (password, unproved): (SecretString, Unproved),
    device: &Device,
    locale: Locale,
) -> Result<Reset, ResetError> {
    let user = find_reset(app, token).await?.ok_or(ResetError::Unknown)?;
    let personal = [user.email.as_str(), user.username.as_str()];
    if let Some(problem) = new_password::password_problem(app, &password, &personal).await {
        return Err(ResetError::Password(problem.message()));
    }
    let hash = app.passwords.hash(password).await.map_err(Error::from)?;
    if user.email_verified_at.is_none() && unproved == Unproved::BeginAnew {
        return begin_anew(app, token, &user, hash, device).await;
    }
    let mut tx = app.store.begin().await?;
    let (user, row) = lock(app, &mut tx, user.id, token).await?.ok_or(ResetError::Unknown)?;
    let by = By::user(user.id, None, device.clone());
    let mut stored = user.password_hash.clone();
    if user.email_verified_at.is_none() {
        credentials::take_over(&mut tx, &user).await?;
        tx.audit_push(&AuditEntry::new(AuditKind::EmailVerified, user.id, &by)).await?;
        stored = None;
    }
    tx.user_set_password_hash(user.id, stored.as_deref(), &hash).await?;
    tx.sessions_end_of_user(user.id, EndReason::PasswordReset.as_str()).await?;
    // Whoever was in the account before may have asked for these.
    for kind in [Kind::PasswordReset, Kind::EmailChange, Kind::Verification] {
        tx.account_tokens_delete_of_user(user.id, kind).await?;
    }
    tx.account_tokens_delete_sign_ups(&row.email_key).await?;
    tx.audit_push(&AuditEntry::new(AuditKind::PasswordReset, user.id, &by)).await?;
    mail::queue_in(app, &mut tx, (&user.email, locale), Mail::PasswordChanged { user: user.id }).await?;
    tx.commit().await?;
    tracing::info!(user = %user.id, "the password was set anew by a mailed link");
    Ok(Reset { user: user.id, return_to: row.return_to })
}

/// The account and the row of a link that is good at this moment, and stays so for this transaction.
async fn lock(app: &App, tx: &mut Tx, user: UserId, token: &str) -> Result<Option<(UserRow, AccountTokenRow)>, Error> {
    let Some(user) = tx.user_lock(user).await? else { return Ok(None) };
    let row = look_up(app, tx, TokenPurpose::PasswordReset, token).await?;
    Ok(row.filter(|row| row.user_id == Some(user.id) && row.email == user.email).map(|row| (user, row)))
}

/// Deletes an account that never proved its address, and makes an empty one for whoever did.
async fn begin_anew(
    app: &App,
    token: &str,
    found: &UserRow,
    password_hash: String,
    device: &Device,
) -> Result<Reset, ResetError> {
    let email = Email::stored(&found.email);
    let account = Account { email, username: None, password_hash, roles: Roles::NONE };
    let mut attempts = UsernameAttempts::default();
    loop {
        let attempt = attempts.next()?;
        let (mut tx, holder) = delete::lock_holder(app, &account.email.key()).await?;
        let is_same = |user: &UserRow| user.id == found.id && user.email_verified_at.is_none();
        let holder = holder.filter(|holder| is_same(&holder.user) && holder.user.disabled_at.is_none());
        let holder = holder.ok_or(ResetError::Unknown)?;
        let row = look_up(app, &mut tx, TokenPurpose::PasswordReset, token).await?;
        let row = row.filter(|row| row.user_id == Some(found.id)).ok_or(ResetError::Unknown)?;
        delete::give_way(app, &mut tx, &holder, &By::unknown(device.clone())).await?;
        let inserted = new_account::insert_direct(app, &mut tx, &account, attempt, true).await;
        let Some((mut tx, inserted)) = written(tx, inserted).await? else { continue };
        let user = inserted.user.id;
        let by = By::user(user, None, device.clone());
        for kind in [AuditKind::AccountCreated, AuditKind::EmailVerified] {
            tx.audit_push(&AuditEntry::new(kind, user, &by)).await?;
        }
        tx.account_tokens_delete_sign_ups(&row.email_key).await?;
        tx.commit().await?;
        tracing::info!(user = %user, "an account was replaced by a mailed link");
        return Ok(Reset { user, return_to: row.return_to });
    }
}
