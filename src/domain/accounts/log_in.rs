//! Log-in: one answer, after the same work, for an unknown user and a wrong password.

use super::identity::fold;
use crate::app::App;
use crate::crypto::password::Verified;
use crate::domain::Error;
use crate::domain::audit::{AuditEntry, AuditKind, By};
use crate::domain::ids::{SessionId, UserId};
use crate::domain::sessions::{self, Device, EndReason, Opened};
use crate::store::{StoreError, UserRow};
use secrecy::SecretString;

/// No account has a longer name or address, so a longer one need not be looked up.
const LOGIN_MAX: usize = 254;

/// Why a log-in did not happen.
#[derive(Debug, thiserror::Error)]
pub enum LogInError {
    /// No such user, or not the password.
    #[error("unknown user or wrong password")]
    WrongCredentials,
    /// The password was right, but an operator disabled the user.
    #[error("the user is disabled")]
    Disabled,
    /// A fault of ours.
    #[error(transparent)]
    Failed(#[from] Error),
}

impl From<StoreError> for LogInError {
    fn from(error: StoreError) -> Self {
        LogInError::Failed(error.into())
    }
}

/// Checks a password and opens a session, which takes the place of `replaces`, those the browser had.
pub async fn log_in(
    app: &App,
    login: &str,
    password: SecretString,
    device: &Device,
    replaces: &[SessionId],
) -> Result<(UserId, Opened), LogInError> {
    let user = look_up(app, login).await?;
    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let verified = app.passwords.verify(password.clone(), stored.clone()).await.map_err(Error::from)?;
    let id = user.as_ref().map(|user| user.id);
    let (Some(user), Verified::Yes | Verified::YesOutdated) = (user, verified) else {
        app.failed_tries.note(AuditKind::SignInFailed, id, device, app.clock.now());
        return Err(LogInError::WrongCredentials);
    };
    if user.disabled_at.is_some() {
        app.failed_tries.note(AuditKind::SignInRefused, id, device, app.clock.now());
        return Err(LogInError::Disabled);
    }
    let upgraded = match verified {
        Verified::YesOutdated => Some(app.passwords.hash(password).await.map_err(Error::from)?),
        _ => None,
    };
    let opened = open(app, &user, upgraded, device, replaces).await?;
    tracing::info!(user = %user.id, session = %opened.session_id, "logged in");
    Ok((user.id, opened))
}

/// Whether this is the user's password: asked again before what cannot be undone.
pub async fn is_password(app: &App, user: UserId, password: SecretString) -> Result<bool, Error> {
    let stored = app.store.read().await?.user_find(user).await?.and_then(|user| user.password_hash);
    Ok(matches!(app.passwords.verify(password, stored).await?, Verified::Yes | Verified::YesOutdated))
}

/// A username has no `@`, an address always has one: one query either way.
async fn look_up(app: &App, login: &str) -> Result<Option<UserRow>, LogInError> {
    let key = fold(login);
    let key = if key.chars().count() > LOGIN_MAX || key.contains('\0') { String::new() } else { key };
    let mut conn = app.store.read().await?;
    Ok(if key.contains('@') { conn.user_find_by_email(&key).await? } else { conn.user_find_by_username(&key).await? })
}

async fn open(
    app: &App,
    user: &UserRow,
    upgraded_hash: Option<String>,
    device: &Device,
    replaces: &[SessionId],
) -> Result<Opened, LogInError> {
    let mut tx = app.store.begin().await?;
    // The password was checked outside of any transaction, perhaps seconds ago: an operator may have set another one
    // or disabled the user since, and ended the sessions that there were then.
    let user = match tx.user_lock(user.id).await? {
        Some(now) if now.password_hash == user.password_hash => now,
        _ => return Err(LogInError::WrongCredentials),
    };
    if user.disabled_at.is_some() {
        return Err(LogInError::Disabled);
    }
    if let Some(hash) = upgraded_hash {
        tx.user_set_password_hash(user.id, user.password_hash.as_deref(), &hash).await?;
    }
    for session in replaces {
        tx.session_end(*session, EndReason::Replaced.as_str()).await?;
    }
    // The lock also keeps a membership from ending meanwhile, whose end moves only the sessions that it sees.
    let Some(membership) = tx.membership_default(user.id).await? else {
        return Err(Error::Inconsistent(format!("user {} is in no organization", user.id)).into());
    };
    let organization = (membership.organization_id, membership.role);
    let opened = sessions::open(app, &mut tx, (user.id, user.roles), organization, device).await?;
    let by = By::user(user.id, Some(opened.session_id), device.clone());
    tx.audit_push(&AuditEntry::new(AuditKind::SignedIn, user.id, &by)).await?;
    tx.commit().await?;
    Ok(opened)
}
