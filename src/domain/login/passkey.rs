//! Login with a passkey, without a username: the passkey identifies the account.

use super::complete::{ClientContext, LoginOutcome, complete_login};
use super::error::{LoginError, StoppedLogin};
use super::limited;
use crate::context::App;
use crate::crypto::passkey::{NO_USER, PasskeyAssertion, PasskeyChallenge, PasskeyError};
use crate::domain::mfa::passkey::add::PasskeyResponse;
use crate::domain::mfa::passkey::at_origin;
use crate::domain::mfa::passkey::verify::{AssertionError, belongs_to, record_refused, verify_assertion};
use crate::domain::session::lifecycle::OpenedSession;
use crate::error::Error;
use crate::metrics::{LoginMethod, LoginResult};
use crate::model::audit::AuditKind;
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::StoreError;
use std::net::IpAddr;
use std::time::Duration;

/// Issues the challenge to log in, or `None` where browsers support no passkeys.
pub fn login_challenge(app: &App, csrf_token: &str) -> Result<Option<PasskeyChallenge>, Error> {
    let Some(passkeys) = at_origin(app) else { return Ok(None) };
    passkeys.start_discoverable_authentication(csrf_token, app.clock.now()).map(Some).map_err(Error::crypto)
}

/// Why a login with a passkey failed.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyLoginError {
    /// The challenge has expired, or was used before.
    #[error("the challenge is void")]
    Void,
    /// The passkey is unknown, or its assertion is not valid.
    #[error("the passkey was refused")]
    Refused,
    /// The passkey is right, but the address must be verified first.
    #[error("the address is not verified")]
    Unverified(StoppedLogin),
    #[error("the user is disabled")]
    Disabled,
    /// Too many logins to the account lately; retry after this time.
    #[error("too many logins to this account")]
    TooSoon(Duration),
    #[error(transparent)]
    Failed(#[from] Error),
}

impl PasskeyLoginError {
    const fn result(&self) -> LoginResult {
        match self {
            PasskeyLoginError::Void | PasskeyLoginError::Refused => LoginResult::Wrong,
            PasskeyLoginError::Unverified(_) => LoginResult::Unverified,
            PasskeyLoginError::Disabled => LoginResult::Disabled,
            PasskeyLoginError::TooSoon(_) => LoginResult::Limited,
            PasskeyLoginError::Failed(_) => LoginResult::Failed,
        }
    }
}

impl From<StoreError> for PasskeyLoginError {
    fn from(error: StoreError) -> Self {
        PasskeyLoginError::Failed(error.into())
    }
}

impl From<LoginError> for PasskeyLoginError {
    fn from(error: LoginError) -> Self {
        match error {
            LoginError::WrongCredentials => PasskeyLoginError::Refused,
            LoginError::Unverified(stopped) => PasskeyLoginError::Unverified(stopped),
            LoginError::Disabled => PasskeyLoginError::Disabled,
            LoginError::Failed(error) => PasskeyLoginError::Failed(error),
        }
    }
}

/// Logs in with the assertion of a passkey, sent from an IP address.
pub async fn log_in(
    app: &App,
    response: &PasskeyResponse<'_>,
    client: &ClientContext,
    from: IpAddr,
) -> Result<OpenedSession, PasskeyLoginError> {
    let tried = attempt(app, response, client, from).await;
    let result = tried.as_ref().map_or_else(PasskeyLoginError::result, |_| LoginResult::Opened);
    app.metrics.auth.logins.count(LoginMethod::Passkey, result);
    tried
}

async fn attempt(
    app: &App,
    response: &PasskeyResponse<'_>,
    client: &ClientContext,
    from: IpAddr,
) -> Result<OpenedSession, PasskeyLoginError> {
    let assertion = PasskeyAssertion::parse(response.credential).map_err(|error| refuse(app, None, client, &error))?;
    let anonymous = client.anonymous();
    let mut conn = app.store.read(&anonymous, Operation::LogIn).await?;
    let found = conn.passkey_find_by_credential(assertion.credential_id()).await?;
    drop(conn);
    let unknown = || refuse(app, None, client, &PasskeyError::Refused("it is not known".to_owned()));
    let found = found.ok_or_else(unknown)?;
    if !belongs_to(&assertion, found.user_id) {
        return Err(refuse(app, Some(found.user_id), client, &PasskeyError::UserHandle));
    }
    let mut tx = app.store.begin(&anonymous, Operation::LogIn).await?;
    let user = tx.user_lock(found.user_id).await?.ok_or(PasskeyLoginError::Refused)?;
    let verified = verify_assertion(app, &mut tx, user.id, found.id, &assertion, NO_USER, response).await;
    verified.map_err(|error| match error {
        AssertionError::Refused(error) => refuse(app, Some(user.id), client, &error),
        AssertionError::Failed(error) => error.into(),
    })?;
    let limit = RateLimit::LoginsTo(user.id, from);
    if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check_in(&mut tx, [limit]).await)? {
        limited::record(app, "passkey", Some(user.id), &client.device);
        return Err(PasskeyLoginError::TooSoon(wait));
    }
    let shown = Authentication::by(AuthMethod::Passkey, app.store.database_time());
    let LoginOutcome::Session(opened) = complete_login(app, &mut tx, &user, shown, client).await? else {
        return Err(Error::Inconsistent("a second factor was asked for after a passkey".to_owned()).into());
    };
    tx.commit().await?;
    Ok(opened)
}

fn refuse(app: &App, user: Option<UserId>, client: &ClientContext, error: &PasskeyError) -> PasskeyLoginError {
    record_refused(app, AuditKind::LoginFailed, user, &client.device, error);
    if *error == PasskeyError::InvalidChallenge { PasskeyLoginError::Void } else { PasskeyLoginError::Refused }
}
