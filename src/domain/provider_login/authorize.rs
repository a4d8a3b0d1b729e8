//! A login with a provider begins: a row is stored, and the browser is sent to the provider.

use super::refusal::{RefusedLogin, refuse};
use super::state::{browser_hash, expires_at, seal_secrets, state_hash};
use crate::context::App;
use crate::crypto::token_hash::LinkToken;
use crate::error::Error;
use crate::model::device::Device;
use crate::model::principal::{Operation, Principal};
use crate::model::provider::{Provider, ProviderName};
use crate::oidc::{AuthorizationRequest, ProviderFault};
use crate::store::{ConnectTarget, ProviderLoginRow, ProviderRow};
use std::sync::Arc;

/// A longer target is dropped: anyone can have rows written.
const MAX_RETURN_TO_LEN: usize = 1000;

#[derive(Clone, Copy)]
pub struct NewLogin<'a> {
    /// The secret of the browser, if it has one.
    pub browser: Option<&'a str>,
    /// To connect the account there with one's own; `None`: to log in.
    pub connect: Option<ConnectTarget>,
    /// Where to redirect afterwards, already validated.
    pub return_to: Option<&'a str>,
    pub invitation: Option<&'a str>,
    pub login_hint: Option<&'a str>,
}

pub struct BegunLogin {
    pub address: String,
    /// The secret of the browser, for its cookie: the one that it had, or a new one.
    pub browser: LinkToken,
}

/// The provider of this name; `None` if there is none.
pub async fn find(app: &App, name: &str) -> Result<Option<Arc<ProviderRow>>, Error> {
    let Ok(name) = ProviderName::parse(name) else { return Ok(None) };
    Ok(app.store.providers().await?.find(&name))
}

/// Begins a login. The provider is asked before the row is stored, and only where its metadata are not kept.
pub async fn begin(
    app: &App,
    provider: &ProviderRow,
    new: NewLogin<'_>,
    device: &Device,
) -> Result<Result<BegunLogin, RefusedLogin>, Error> {
    let authorization = match authorization_request(app, &provider.provider, new.login_hint).await {
        Ok(authorization) => authorization,
        Err(fault) => {
            let user = new.connect.map(|connect| connect.user);
            return Ok(Err(refuse(app, &provider.provider, &fault.into(), user, device)));
        }
    };
    let browser = match new.browser.and_then(LinkToken::parse) {
        Some(browser) => browser,
        None => LinkToken::generate()?,
    };
    let state_hash = state_hash(app, authorization.state.text());
    let row = ProviderLoginRow {
        secrets: seal_secrets(app, &state_hash, &authorization.secrets, new.invitation)?,
        browser_hash: browser_hash(app, browser.text()).to_vec(),
        state_hash: state_hash.to_vec(),
        provider: provider.provider.name.clone(),
        issuer: provider.provider.issuer.clone(),
        client_id: provider.provider.client_id.clone(),
        revision: provider.revision,
        connect: new.connect,
        return_to: new.return_to.filter(|target| target.len() <= MAX_RETURN_TO_LEN).map(str::to_owned),
        invitation_id: None,
        expires_at: expires_at(app),
        claimed_at: None,
        answer: None,
    };
    let mut tx = app.store.begin(&Principal::anonymous(device.clone()), Operation::LogIn).await?;
    tx.provider_login_create(&row).await?;
    tx.commit().await?;
    Ok(Ok(BegunLogin { address: authorization.address, browser }))
}

async fn authorization_request(
    app: &App,
    provider: &Provider,
    login_hint: Option<&str>,
) -> Result<AuthorizationRequest, ProviderFault> {
    // Only its metadata are asked for, which serve all people.
    let client = app.provider_client(None).map_err(|_| ProviderFault::NoRoots)?;
    client
        .authorization_request(provider, &provider.redirect_uri(app.settings.server.base_url.as_str()), login_hint)
        .await
}
