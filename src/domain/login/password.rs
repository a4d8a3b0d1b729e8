//! Login with a password. An unknown user and a wrong password get the same response after the same work, against
//! account enumeration.

use super::complete::{ClientContext, LoginOutcome, complete_login};
use super::limited;
use super::prompt::PasswordPrompt;
use crate::context::App;
use crate::crypto::hashing_shares::Requester;
use crate::crypto::password::PasswordMatch;
use crate::domain::mfa::trusted_devices;
use crate::error::Error;
use crate::metrics::{LoginMethod, LoginResult};
use crate::model::audit::AuditKind;
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::device::Device;
use crate::model::ids::UserId;
use crate::model::mail_domain;
use crate::model::placeholder_email::is_placeholder;
use crate::model::principal::{Operation, Principal};
use crate::rate_limit::{AttemptPlace, RateLimitError};
use crate::store::{StoreError, UserRow};
use secrecy::SecretString;
use std::net::IpAddr;

/// No account has a longer username or address, so a longer one is not looked up.
const MAX_LOGIN_LEN: usize = 254;

/// The account of the name that was typed at a login, or none. A page cannot tell which, against account enumeration.
pub struct NamedAccount(Option<UserRow>);

impl NamedAccount {
    /// Whom a rate limit counts the attempt for.
    pub fn id(&self) -> Option<UserId> {
        self.0.as_ref().map(|user| user.id)
    }
}

/// Finds the account of a name that was typed at a login, or none, and counts the attempt before the password is checked.
/// What a limit refuses is recorded like a wrong password, whether or not there is an account.
pub async fn begin(app: &App, login: &str, device: &Device, from: IpAddr) -> Result<NamedAccount, RateLimitError> {
    let found = find_by_login(app, &Principal::anonymous(device.clone()), login).await?;
    let counted = app.rate_limiter.begin_login(login, found.id(), from, AttemptPlace::Login).await;
    if let Err(RateLimitError::Exceeded(_)) = counted {
        limited::record(app, "password", found.id(), device);
    }
    counted.map(|()| found)
}

/// Verifies the password of an account, or of none ([`begin`]), and opens a session if nothing else is needed; `None`
/// if it is wrong.
pub async fn log_in(
    app: &App,
    NamedAccount(user): NamedAccount,
    password: SecretString,
    client: &ClientContext,
) -> Result<Option<(UserId, LoginOutcome)>, Error> {
    let tried = attempt(app, user, password, client).await;
    let result = match &tried {
        Ok(Some((_, outcome))) => outcome.result(),
        Ok(None) => LoginResult::Wrong,
        Err(_) => LoginResult::Failed,
    };
    app.metrics.auth.logins.count(LoginMethod::Password, result);
    tried
}

enum Attempt {
    Wrong,
    Done(UserId, LoginOutcome),
    /// The account has another hash by now. Another login may have upgraded the outdated one: same password.
    HashReplaced(Box<UserRow>),
}

async fn attempt(
    app: &App,
    mut user: Option<UserRow>,
    password: SecretString,
    client: &ClientContext,
) -> Result<Option<(UserId, LoginOutcome)>, Error> {
    // Hashes are not replaced twice within a login: not by logins, of which one upgrades.
    for _ in 0..2 {
        match verify_and_complete(app, user, password.clone(), client).await? {
            Attempt::Wrong => return Ok(None),
            Attempt::Done(user, outcome) => return Ok(Some((user, outcome))),
            Attempt::HashReplaced(changed) => user = Some(*changed),
        }
    }
    Ok(None)
}

async fn verify_and_complete(
    app: &App,
    user: Option<UserRow>,
    password: SecretString,
    client: &ClientContext,
) -> Result<Attempt, Error> {
    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let id = user.as_ref().map(|user| user.id);
    let requester = Requester::client(id, &client.device);
    let verified = app.passwords.verify(password.clone(), stored, requester).await?;
    let (Some(user), PasswordMatch::Yes | PasswordMatch::YesOutdated) = (user, verified) else {
        app.failed_attempts.record(AuditKind::LoginFailed, id, &client.device, app.clock.now());
        return Ok(Attempt::Wrong);
    };
    if user.disabled_at.is_some() {
        app.failed_attempts.record(AuditKind::LoginRefused, id, &client.device, app.clock.now());
        return Ok(Attempt::Done(user.id, LoginOutcome::Disabled));
    }
    let upgraded = match verified {
        PasswordMatch::YesOutdated => Some(app.passwords.hash(password, requester).await?),
        _ => None,
    };
    let completed = complete_with_password(app, &user, upgraded, client).await?;
    if let Attempt::Done(_, LoginOutcome::Unverified(_)) = &completed {
        let (kind, detail) = (AuditKind::Confirmed, PasswordPrompt::EmailVerification.as_str());
        app.failed_attempts.record_for(kind, detail, id, &client.device, app.clock.now());
    }
    Ok(completed)
}

/// Finds an account by username or email address. A username has no `@` and an address always has one: a single query
/// either way.
async fn find_by_login(app: &App, principal: &Principal, login: &str) -> Result<NamedAccount, StoreError> {
    let key = mail_domain::key(login);
    let refused = key.chars().count() > MAX_LOGIN_LEN || key.contains('\0') || is_placeholder(&key);
    let key = if refused { String::new() } else { key };
    let mut conn = app.store.read(principal, Operation::LogIn).await?;
    let found =
        if key.contains('@') { conn.user_find_by_email(&key).await? } else { conn.user_find_by_username(&key).await? };
    Ok(NamedAccount(found))
}

async fn complete_with_password(
    app: &App,
    user: &UserRow,
    upgraded_hash: Option<String>,
    client: &ClientContext,
) -> Result<Attempt, Error> {
    let mut tx = app.store.begin(&client.anonymous(), Operation::LogIn).await?;
    // The password was verified outside of any transaction, perhaps seconds ago: an operator may have set another one
    // or disabled the user since, and ended the sessions that existed then.
    let Some(locked) = tx.user_lock(user.id).await? else { return Ok(Attempt::Wrong) };
    if locked.password_hash != user.password_hash {
        return Ok(Attempt::HashReplaced(Box::new(locked)));
    }
    let mut user = locked;
    if let Some(hash) = upgraded_hash {
        tx.user_set_password_hash(user.id, user.password_hash.as_deref(), &hash).await?;
        trusted_devices::rebind_devices(&mut tx, user.id, user.password_hash.as_deref(), &hash).await?;
        user.password_hash = Some(hash);
    }
    let shown = Authentication::by(AuthMethod::Password, app.store.database_time());
    let outcome = complete_login(app, &mut tx, &user, shown, client).await?;
    if !outcome.is_stopped() {
        tx.commit().await?;
    }
    Ok(Attempt::Done(user.id, outcome))
}
