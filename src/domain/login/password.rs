//! Log-in: one answer, after the same work, for an unknown user and a wrong password.

use super::complete::{Arrival, Entered, Shown, enter};
use super::error::LogInError;
use crate::context::App;
use crate::crypto::password::Verified;
use crate::domain::account::identity::fold;
use crate::domain::mfa::trusted_devices;
use crate::error::Error;
use crate::model::audit::AuditKind;
use crate::model::ids::UserId;
use crate::store::UserRow;
use secrecy::SecretString;

/// No account has a longer name or address, so a longer one need not be looked up.
const LOGIN_MAX: usize = 254;

/// Checks the password of an account, perhaps of none ([`find_by_login`]), and opens a session if nothing else is needed.
pub async fn log_in(
    app: &App,
    user: Option<UserRow>,
    password: SecretString,
    arrival: &Arrival,
) -> Result<(UserId, Entered), LogInError> {
    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let verified = app.passwords.verify(password.clone(), stored.clone()).await.map_err(Error::from)?;
    let id = user.as_ref().map(|user| user.id);
    let (Some(user), Verified::Yes | Verified::YesOutdated) = (user, verified) else {
        app.failed_tries.note(AuditKind::SignInFailed, id, &arrival.device, app.clock.now());
        return Err(LogInError::WrongCredentials);
    };
    if user.disabled_at.is_some() {
        app.failed_tries.note(AuditKind::SignInRefused, id, &arrival.device, app.clock.now());
        return Err(LogInError::Disabled);
    }
    let upgraded = match verified {
        Verified::YesOutdated => Some(app.passwords.hash(password).await.map_err(Error::from)?),
        _ => None,
    };
    let entered = enter_with_password(app, &user, upgraded, arrival).await?;
    match &entered {
        Entered::Session(opened) => tracing::info!(user = %user.id, session = %opened.session_id, "logged in"),
        Entered::SecondFactorNeeded(_) => tracing::info!(user = %user.id, "the second factor is asked for"),
    }
    Ok((user.id, entered))
}

/// Whether this is the user's password: asked again before what cannot be undone.
pub async fn is_password(app: &App, user: UserId, password: SecretString) -> Result<bool, Error> {
    let stored = app.store.read().await?.user_find(user).await?.and_then(|user| user.password_hash);
    Ok(app.passwords.verify(password, stored).await?.is_right())
}

/// The account of what was typed as name or address at log-in, if there is one. A username has no `@`, an address always
/// has one: one query either way.
pub async fn find_by_login(app: &App, login: &str) -> Result<Option<UserRow>, Error> {
    let key = fold(login);
    let key = if key.chars().count() > LOGIN_MAX || key.contains('\0') { String::new() } else { key };
    let mut conn = app.store.read().await?;
    Ok(if key.contains('@') { conn.user_find_by_email(&key).await? } else { conn.user_find_by_username(&key).await? })
}

async fn enter_with_password(
    app: &App,
    user: &UserRow,
    upgraded_hash: Option<String>,
    arrival: &Arrival,
) -> Result<Entered, LogInError> {
    let mut tx = app.store.begin().await?;
    // The password was checked outside of any transaction, perhaps seconds ago: an operator may have set another one
    // or disabled the user since, and ended the sessions that there were then.
    let mut user = match tx.user_lock(user.id).await? {
        Some(now) if now.password_hash == user.password_hash => now,
        _ => return Err(LogInError::WrongCredentials),
    };
    if let Some(hash) = upgraded_hash {
        tx.user_set_password_hash(user.id, user.password_hash.as_deref(), &hash).await?;
        trusted_devices::rebind_devices(&mut tx, user.id, user.password_hash.as_deref(), &hash).await?;
        user.password_hash = Some(hash);
    }
    let entered = enter(app, &mut tx, &user, Shown::Password, arrival).await?;
    tx.commit().await?;
    Ok(entered)
}
