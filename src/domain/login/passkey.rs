//! Login with a passkey, without a username: the passkey identifies the account.

use super::complete::{ClientContext, LoginOutcome, complete_login};
use super::limited;
use crate::context::App;
use crate::crypto::passkey::{NO_USER, PasskeyAssertion, PasskeyChallenge, PasskeyError};
use crate::domain::mfa::passkey::add::PasskeyResponse;
use crate::domain::mfa::passkey::at_origin;
use crate::domain::mfa::passkey::verify::{AssertionError, belongs_to, record_refused, verify_assertion};
use crate::error::Error;
use crate::metrics::{LoginMethod, LoginResult};
use crate::model::audit::AuditKind;
use crate::model::auth_method::AuthMethod;
use crate::model::authentication::Authentication;
use crate::model::ids::UserId;
use crate::model::principal::Operation;
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::refusal::{ChangeError, Refusal, Rule};
use std::net::IpAddr;

/// Issues the challenge to log in, or `None` where browsers support no passkeys.
pub fn login_challenge(app: &App, csrf_token: &str) -> Result<Option<PasskeyChallenge>, Error> {
    let Some(passkeys) = at_origin(app) else { return Ok(None) };
    passkeys.start_discoverable_authentication(csrf_token, app.clock.now()).map(Some).map_err(Error::crypto)
}

/// The challenge has expired, or was used before.
const VOID: Refusal = Refusal::rule(Rule::Ended, "passkey-void");
/// The passkey is unknown, or its assertion is not valid.
const REFUSED: Refusal = Refusal::rule(Rule::Forbidden, "passkey-log-in-refused");

/// Logs in with the assertion of a passkey, sent from an IP address.
pub async fn log_in(
    app: &App,
    response: &PasskeyResponse<'_>,
    client: &ClientContext,
    from: IpAddr,
) -> Result<LoginOutcome, ChangeError> {
    let tried = attempt(app, response, client, from).await;
    let result = match &tried {
        Ok(outcome) => outcome.result(),
        Err(ChangeError::Refused(Refusal::TooSoon(_))) => LoginResult::Limited,
        Err(ChangeError::Refused(_)) => LoginResult::Wrong,
        Err(ChangeError::Failed(_)) => LoginResult::Failed,
    };
    app.metrics.auth.logins.count(LoginMethod::Passkey, result);
    tried
}

async fn attempt(
    app: &App,
    response: &PasskeyResponse<'_>,
    client: &ClientContext,
    from: IpAddr,
) -> Result<LoginOutcome, ChangeError> {
    let assertion = PasskeyAssertion::parse(response.credential).map_err(|error| refuse(app, None, client, &error))?;
    let anonymous = client.anonymous();
    let mut conn = app.store.read(&anonymous, Operation::LogIn).await?;
    let found = conn.passkey_find_by_credential(assertion.credential_id()).await?;
    drop(conn);
    let unknown = || refuse(app, None, client, &PasskeyError::Refused("it is not known".to_owned()));
    let found = found.ok_or_else(unknown)?;
    if !belongs_to(&assertion, found.user_id) {
        return Err(refuse(app, Some(found.user_id), client, &PasskeyError::UserHandle).into());
    }
    let mut tx = app.store.begin(&anonymous, Operation::LogIn).await?;
    let user = tx.user_lock(found.user_id).await?.ok_or(REFUSED)?;
    let verified = verify_assertion(app, &mut tx, user.id, found.id, &assertion, NO_USER, response).await;
    verified.map_err(|error| match error {
        AssertionError::Refused(error) => refuse(app, Some(user.id), client, &error).into(),
        AssertionError::Failed(error) => ChangeError::from(error),
    })?;
    let limit = RateLimit::LoginsTo(user.id, from);
    if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check_in(&mut tx, [limit]).await)? {
        limited::record(app, "passkey", Some(user.id), &client.device);
        return Err(Refusal::TooSoon(wait).into());
    }
    let shown = Authentication::by(AuthMethod::Passkey, app.store.database_time());
    let outcome = complete_login(app, &mut tx, &user, shown, client).await?;
    if !outcome.is_stopped() {
        tx.commit().await?;
    }
    Ok(outcome)
}

fn refuse(app: &App, user: Option<UserId>, client: &ClientContext, error: &PasskeyError) -> Refusal {
    record_refused(app, AuditKind::LoginFailed, user, &client.device, error);
    if *error == PasskeyError::InvalidChallenge { VOID } else { REFUSED }
}
