//! A browser comes back from a provider: the row is claimed, the provider asked, and its answer decides.

use super::outcome::ReturnOutcome;
use super::pending::PendingProviderLogin;
use super::refusal::{ProviderRefusal, refuse};
use super::sign_up::Newcomer;
use super::state::{self, ANSWER, ClaimedLogin, LoginSecrets};
use super::types::{ReturnFields, ReturningBrowser};
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

pub struct Returned {
    pub outcome: ReturnOutcome,
    /// Where to redirect afterwards; to be checked again.
    pub return_to: Option<String>,
    /// The token of the invitation with which the login began: an account that exists accepts it on its page.
    pub invitation: Option<String>,
}

impl From<ReturnOutcome> for Returned {
    fn from(outcome: ReturnOutcome) -> Self {
        Self { outcome, return_to: None, invitation: None }
    }
}

pub async fn receive(
    app: &App,
    provider: &ProviderRow,
    browser: ReturningBrowser<'_>,
    client: &ClientContext,
) -> Result<Returned, Error> {
    let claimed = state::claim(app, &client.anonymous(), provider, &browser).await?;
    let (refusal, user, return_to) = match claimed {
        ClaimedLogin::Now(row) => return finish(app, provider, *row, browser, client).await,
        ClaimedLogin::TooSoon(wait) => return Ok(ReturnOutcome::TooSoon(wait).into()),
        ClaimedLogin::Before(row) => {
            let return_to = row.return_to.clone();
            match outcome_before(app, *row, &browser) {
                Some(outcome) => return Ok(Returned { outcome, return_to, invitation: None }),
                None => (ProviderRefusal::Used, None, return_to),
            }
        }
        ClaimedLogin::Refused(refusal, row) => {
            let user = row.connect.map(|connect| connect.user);
            let return_to = if refusal == ProviderRefusal::OtherBrowser { None } else { row.return_to };
            (refusal, user, return_to)
        }
        ClaimedLogin::Unknown => (ProviderRefusal::UnknownState, None, None),
    };
    // Before the line in the log: anyone can send a state, and one that leaked may come again and again.
    let limit = RateLimit::ProviderFrom(browser.from);
    if let Some(wait) = RateLimitError::wait_of(app.rate_limiter.check(limit).await)? {
        return Ok(ReturnOutcome::TooSoon(wait).into());
    }
    let refused = refuse(app, &provider.provider, &refusal, user, &client.device);
    Ok(Returned { outcome: ReturnOutcome::Refused(refused), return_to, invitation: None })
}

/// What follows when the same browser brings a login back once more: by a reload, or the back button.
fn outcome_before(app: &App, row: ProviderLoginRow, browser: &ReturningBrowser<'_>) -> Option<ReturnOutcome> {
    let waiting = if state::is_over(app, &row) { None } else { PendingProviderLogin::of_row(app, row) };
    match waiting {
        Some(waiting) => Some(ReturnOutcome::Ask(waiting.question)),
        None => browser.session.map(|_| ReturnOutcome::LoggedInBefore),
    }
}

async fn finish(
    app: &App,
    provider: &ProviderRow,
    row: ProviderLoginRow,
    browser: ReturningBrowser<'_>,
    client: &ClientContext,
) -> Result<Returned, Error> {
    let from = browser.from;
    let refused = |refusal: &ProviderRefusal, user| {
        ReturnOutcome::Refused(refuse(app, &provider.provider, refusal, user, &client.device))
    };
    let mut invitation = None;
    let outcome = match go_on(app, provider, &row, browser, &mut invitation, client).await {
        Ok(ReturnOutcome::Changed) => refused(&ProviderRefusal::RecordChanged, None),
        Ok(outcome) => outcome,
        Err(Interrupted::Refused(refusal)) => refused(&refusal, row.connect.map(|connect| connect.user)),
        Err(Interrupted::Failed(error)) => {
            app.metrics.providers.count(&provider.provider.name, ProviderOutcome::Failed);
            return Err(error);
        }
    };
    if !matches!(outcome, ReturnOutcome::Refused(_)) {
        app.rate_limiter.give_back(RateLimit::ProviderReturnFrom(from)).await;
    }
    outcome.count(app, provider);
    Ok(Returned { outcome, return_to: row.return_to, invitation })
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
    browser: ReturningBrowser<'_>,
    invitation: &mut Option<String>,
    client: &ClientContext,
) -> Result<ReturnOutcome, Interrupted> {
    if let Some(connect) = row.connect
        && browser.session != Some((connect.user, connect.session))
    {
        return Err(Interrupted::Refused(ProviderRefusal::OtherSession));
    }
    let secrets = state::open_secrets(app, row).ok_or(Interrupted::Refused(ProviderRefusal::NoSecret))?;
    let fields = fields_of(app, row, browser.fields);
    // No connection is held meanwhile.
    let profile = ask(app, provider, &secrets, &fields, browser.from).await?;
    let assurance = profile.email.as_ref().map(|email| email.assurance);
    let identity = ProviderIdentity::new(provider.provider.name.clone(), profile);
    let email = identity.email.as_deref().and_then(|email| EmailAddress::parse(email).ok());
    // What is no address to this service was not stated.
    let identity = ProviderIdentity { email: identity.email.filter(|_| email.is_some()), ..identity };
    if let Some(own) = row.connect {
        let person = Principal::person(own.user, Some(own.session), client.device.clone());
        let connected = connect::in_session(app, &person, &identity).await?;
        return connected.ok_or(Interrupted::Refused(ProviderRefusal::OtherSession));
    }
    *invitation = secrets.invitation;
    if let Some(outcome) = log_in::log_in(app, provider, &identity, client, browser.from).await? {
        return Ok(outcome);
    }
    let verified = email.filter(|_| assurance == Some(EmailAssurance::Verified));
    let newcomer = Newcomer {
        provider,
        identity: &identity,
        verified: verified.as_ref(),
        typed: None,
        invitation: invitation.as_deref(),
        return_to: row.return_to.as_deref(),
        from: browser.from,
    };
    let outcome = proceed::proceed(app, newcomer, client).await?;
    let invited = invitation.as_deref();
    if let ReturnOutcome::Ask(question) = outcome {
        let is_verified = verified.is_some();
        let anonymous = client.anonymous();
        PendingProviderLogin::keep(app, &anonymous, &row.state_hash, question, &identity, is_verified, invited).await?;
    }
    // Who signed up has accepted it.
    *invitation = None;
    Ok(outcome)
}

/// What came by a form stands for what the browser brings now, which is the state alone.
fn fields_of(app: &App, row: &ProviderLoginRow, brought: ReturnFields) -> ReturnFields {
    let Some(sealed) = row.answer.as_ref().filter(|_| brought.is_empty()) else { return brought };
    let plain = state::open(app, &row.state_hash, ANSWER, sealed);
    plain.and_then(|plain| serde_json::from_slice(&plain).ok()).unwrap_or(brought)
}

async fn ask(
    app: &App,
    provider: &ProviderRow,
    secrets: &LoginSecrets,
    fields: &ReturnFields,
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
