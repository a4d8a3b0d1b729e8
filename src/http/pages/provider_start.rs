//! `/auth/login/with/{name}`: begins a login with a provider (docs/reference/browser.md 8.5).

use super::after_login::redirect_logged_in;
use super::page_context::PageContext;
use super::provider_buttons::{PassedOn, button};
use super::provider_refused;
use super::required::not_found;
use crate::domain::provider_login::authorize::{self, NewLogin};
use crate::http::error::{self, ResponseFormat};
use crate::http::form::Typed;
use crate::http::page_error::PageError;
use crate::http::provider_login_cookie;
use crate::http::views::{self, Problem, ProviderStartPage};
use crate::metrics::ProviderOutcome;
use crate::rate_limit::RateLimit;
use crate::store::{ConnectTarget, ProviderRow};
use axum::extract::{Path, Request};
use axum::http::header::ALLOW;
use axum::http::{HeaderValue, StatusCode};
use axum::response::Response;
use std::sync::Arc;

/// Sends the browser to the provider. A logged-in one is sent on, and one that another site sent is asked first.
pub async fn show(context: PageContext, Path(name): Path<String>) -> Result<Response, PageError> {
    refuse_ahead(&context)?;
    let provider = find(&context, &name).await?;
    let return_to = context.return_to(&Typed::default());
    if let Some(live) = context.session().await? {
        return redirect_logged_in(&context, &live, return_to.as_deref()).await;
    }
    let (invitation, login_hint) = (context.query.get("invitation"), context.query.get("login_hint"));
    if context.is_cross_site() {
        let button = button(&provider, PassedOn { return_to: return_to.as_deref(), invitation, login_hint });
        let view = ProviderStartPage { layout: context.layout(), button: &button };
        return Ok(views::page(StatusCode::OK, &view));
    }
    let new = NewLogin {
        browser: provider_login_cookie::read(&context.app.settings, &context.headers),
        connect: None,
        return_to: return_to.as_deref(),
        invitation,
        login_hint,
    };
    begin(&context, &provider, new).await
}

/// HEAD begins nothing, and ends nothing.
pub async fn head(request: Request) -> Response {
    let allowed = if request.uri().path().ends_with("/return") { "GET, POST" } else { "GET" };
    let mut response = error::method_not_allowed(ResponseFormat::Html);
    response.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    response
}

/// A browser that asks ahead of a click must not begin or end a login.
pub(super) fn refuse_ahead(context: &PageContext) -> Result<(), PageError> {
    if context.headers.contains_key("sec-purpose") {
        return Err(Problem::NotForScripts.into());
    }
    Ok(())
}

/// The provider of the path; without one the page does not exist.
pub(super) async fn find(context: &PageContext, name: &str) -> Result<Arc<ProviderRow>, PageError> {
    authorize::find(&context.app, name).await?.ok_or_else(not_found)
}

/// Begins a login to connect an account at the provider.
pub(super) async fn begin_connection(
    context: &PageContext,
    provider: &ProviderRow,
    connect: ConnectTarget,
) -> Result<Response, PageError> {
    let browser = provider_login_cookie::read(&context.app.settings, &context.headers);
    let new = NewLogin { browser, connect: Some(connect), return_to: None, invitation: None, login_hint: None };
    begin(context, provider, new).await
}

async fn begin(context: &PageContext, provider: &ProviderRow, new: NewLogin<'_>) -> Result<Response, PageError> {
    context.check_rate_limit(RateLimit::ProviderFrom(context.address)).await?;
    match authorize::begin(&context.app, provider, new, &context.device()).await? {
        Ok(begun) => {
            context.app.metrics.providers.count(&provider.provider.name, ProviderOutcome::Begun);
            context.set_provider_login_secret(&begun.browser);
            Ok(context.redirect(Some(&begun.address)))
        }
        Err(refused) => {
            let return_to = new.return_to.map(str::to_owned);
            provider_refused::page(context, provider, &refused, return_to).await
        }
    }
}
