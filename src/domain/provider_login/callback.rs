//! A browser comes back from a provider: the row is claimed, the provider asked, and its answer decides.

use super::outcome::CallbackOutcome;
use super::pending::PendingProviderLogin;
use super::refusal::{ProviderRefusal, refuse};
use super::sign_up::UnconnectedLogin;
use super::state::{self, ANSWER, CallbackClaim, LoginSecrets};
use super::types::{CallbackFields, CallbackRequest};
use super::{connect, log_in, proceed};
use crate::context::App;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::login::complete::ClientContext;
use crate::domain::ownership::identities::ProviderIdentity;
use crate::domain::provider::secret::ProviderSecret;
use crate::error::Error;
use crate::metrics::ProviderOutcome;
use crate::model::principal::Principal;
use crate::oidc::{EmailAssurance, ProviderFault, ProviderProfile, Redemption};
use crate::rate_limit::{RateLimit, RateLimitError};
use crate::store::{ProviderLoginRow, ProviderRow};
use std::net::IpAddr;

pub struct CallbackResult {
    pub outcome: CallbackOutcome,
    /// Where to redirect afterwards; to be checked again.
    pub return_to: Option<String>,
    /// The token of the invitation with which the login began: an account that exists accepts it on its page.
    pub invitation: Option<String>,
}

impl From<CallbackOutcome> for CallbackResult {
    fn from(outcome: CallbackOutcome) -> Self {
        Self { outcome, return_to: None, invitation: None }
    }
}

pub async fn handle(
    app: &App,
    provider: &ProviderRow,
    request: CallbackRequest<'_>,
    client: &ClientContext,
) -> Result<CallbackResult, Error> {
    let claimed = state::claim(app, &client.anonymous(), provider, &request).await?;
    let (refusal, user, return_to) = match claimed {
        CallbackClaim::First(row) => return finish(app, provider, *row, request, client).await,
        CallbackClaim::TooSoon(wait) => return Ok(CallbackOutcome::TooSoon(wait).into()),
        CallbackClaim::Repeated(row) => {
            let return_to = row.return_to.clone();
            match outcome_of_repeat(app, *row, &request) {
                Some(outcome) => return Ok(CallbackResult { outcome, return_to, invitation: None }),
                None => (ProviderRefusal::Used, None, return_to),
            }
        }
        CallbackClaim::Refused(refusal, row) => {
            let user = row.connect.map(|connect| connect.user);
            let return_to = if refusal == ProviderRefusal::OtherBrowser { None } else { row.return_to };
            (refusal, user, return_to)
        }
        CallbackClaim::Unknown => (ProviderRefusal::UnknownState, None, None),
    };
    // Before the line in the log: anyone can send a state, and one that leaked may come again and again.
    let limit = RateLimit::ProviderFrom(request.from);
    if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check(limit).await)? {
        return Ok(CallbackOutcome::TooSoon(wait).into());
    }
    let refused = refuse(app, &provider.provider, &refusal, user, &client.device);
    Ok(CallbackResult { outcome: CallbackOutcome::Refused(refused), return_to, invitation: None })
}

/// What follows when the same browser brings a login back once more: by a reload, or the back button.
fn outcome_of_repeat(app: &App, row: ProviderLoginRow, request: &CallbackRequest<'_>) -> Option<CallbackOutcome> {
    let pending = if state::is_over(app, &row) { None } else { PendingProviderLogin::of_row(app, row) };
    match pending {
        Some(pending) => Some(CallbackOutcome::Ask(pending.question)),
        None => request.session.map(|_| CallbackOutcome::LoggedInBefore),
    }
}

async fn finish(
    app: &App,
    provider: &ProviderRow,
    row: ProviderLoginRow,
    request: CallbackRequest<'_>,
    client: &ClientContext,
) -> Result<CallbackResult, Error> {
    let from = request.from;
    let refused = |refusal: &ProviderRefusal, user| {
        CallbackOutcome::Refused(refuse(app, &provider.provider, refusal, user, &client.device))
    };
    let mut invitation = None;
    let outcome = match go_on(app, provider, &row, request, &mut invitation, client).await {
        Ok(CallbackOutcome::Changed) => refused(&ProviderRefusal::RecordChanged, None),
        Ok(outcome) => outcome,
        Err(Interrupted::Refused(refusal)) => refused(&refusal, row.connect.map(|connect| connect.user)),
        Err(Interrupted::Failed(error)) => {
            app.metrics.providers.count(&provider.provider.name, ProviderOutcome::Failed);
            return Err(error);
        }
    };
    if !matches!(outcome, CallbackOutcome::Refused(_)) {
        app.rate_limiter.give_back(RateLimit::ProviderReturnFrom(from)).await;
    }
    outcome.count(app, provider);
    Ok(CallbackResult { outcome, return_to: row.return_to, invitation })
}

enum Interrupted {
    Refused(ProviderRefusal),
    Failed(Error),
}

impl From<ProviderFault> for Interrupted {
    fn from(fault: ProviderFault) -> Self {
        Interrupted::Refused(fault.into())
    }
}

impl<E: Into<Error>> From<E> for Interrupted {
    fn from(error: E) -> Self {
        Interrupted::Failed(error.into())
    }
}

async fn go_on(
    app: &App,
    provider: &ProviderRow,
    row: &ProviderLoginRow,
    request: CallbackRequest<'_>,
    invitation: &mut Option<String>,
    client: &ClientContext,
) -> Result<CallbackOutcome, Interrupted> {
    if let Some(connect) = row.connect
        && request.session != Some((connect.user, connect.session))
    {
        return Err(Interrupted::Refused(ProviderRefusal::OtherSession));
    }
    let secrets = state::open_secrets(app, row).ok_or(Interrupted::Refused(ProviderRefusal::NoSecret))?;
    let fields = fields_of(app, row, request.fields);
    // No connection is held meanwhile.
    let profile = ask(app, provider, &secrets, &fields, request.from).await?;
    let assurance = profile.email.as_ref().map(|email| email.assurance);
    let identity = ProviderIdentity::new(provider.provider.name.clone(), profile);
    let email = identity.email.as_deref().and_then(|email| EmailAddress::parse(email).ok());
    // What is no address to this service was not stated.
    let identity = ProviderIdentity { email: identity.email.filter(|_| email.is_some()), ..identity };
    if let Some(own) = row.connect {
        let principal = Principal::user(own.user, Some(own.session), client.device.clone());
        let connected = connect::in_session(app, &principal, &identity).await?;
        return connected.ok_or(Interrupted::Refused(ProviderRefusal::OtherSession));
    }
    *invitation = secrets.invitation;
    if let Some(outcome) = log_in::log_in(app, provider, &identity, client, request.from).await? {
        return Ok(outcome);
    }
    let verified = email.filter(|_| assurance == Some(EmailAssurance::Verified));
    let login = UnconnectedLogin {
        provider,
        identity: &identity,
        verified: verified.as_ref(),
        typed: None,
        invitation: invitation.as_deref(),
        return_to: row.return_to.as_deref(),
        from: request.from,
    };
    let outcome = proceed::proceed(app, login, client).await?;
    let invited = invitation.as_deref();
    if let CallbackOutcome::Ask(question) = outcome {
        let is_verified = verified.is_some();
        let anonymous = client.anonymous();
        PendingProviderLogin::keep(app, &anonymous, &row.state_hash, question, &identity, is_verified, invited).await?;
    }
    // Who signed up has accepted it.
    *invitation = None;
    Ok(outcome)
}

/// What came by a form stands for what the browser brings now, which is the state alone.
fn fields_of(app: &App, row: &ProviderLoginRow, brought: CallbackFields) -> CallbackFields {
    let Some(sealed) = row.answer.as_ref().filter(|_| brought.is_empty()) else { return brought };
    let plain = state::open(app, &row.state_hash, ANSWER, sealed);
    plain.and_then(|plain| serde_json::from_slice(&plain).ok()).unwrap_or(brought)
}

async fn ask(
    app: &App,
    provider: &ProviderRow,
    secrets: &LoginSecrets,
    fields: &CallbackFields,
    from: IpAddr,
) -> Result<ProviderProfile, Interrupted> {
    let secret = ProviderSecret::open(&app.secret_keys, provider)?;
    let Some(ProviderSecret::Client(secret) | ProviderSecret::AppleKey(secret)) = secret else {
        return Err(Interrupted::Refused(ProviderRefusal::NoSecret));
    };
    let redirect_uri = provider.provider.redirect_uri(app.settings.server.base_url.as_str());
    let redemption = Redemption { client_secret: &secret, redirect_uri: &redirect_uri, secrets: &secrets.returned };
    let client = app.provider_client(Some(from)).map_err(|_| ProviderFault::NoRoots)?;
    Ok(client.profile(&provider.provider, redemption, fields.as_params()).await?)
}
