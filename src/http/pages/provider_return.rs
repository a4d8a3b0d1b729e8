//! `/auth/login/with/{name}/return`: ends a login with a provider (docs/reference/browser.md 8.5).

use super::page_context::PageContext;
use super::provider_outcome::respond;
use super::provider_start::{find, refuse_ahead};
use crate::domain::provider_login::callback;
use crate::domain::provider_login::state::{self, MAX_ANSWER_LEN};
use crate::domain::provider_login::types::{CallbackFields, CallbackRequest};
use crate::http::body_budget::BodyAllowance;
use crate::http::form::{self, Fields, FormError};
use crate::http::page_error::PageError;
use crate::http::provider_login_cookie;
use crate::rate_limit::RateLimit;
use axum::Extension;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};

/// What an answer consists of. One that has any of these twice is none (RFC 6749, 3.1).
const ANSWER: [&str; 5] = ["state", "code", "error", "iss", "user"];

pub async fn show(context: PageContext, Path(name): Path<String>) -> Result<Response, PageError> {
    refuse_ahead(&context)?;
    let provider = find(&context, &name).await?;
    let live = context.session().await?;
    let text = |name| context.query.get(name).map(str::to_owned);
    let state = if context.query.repeats(&ANSWER) { "" } else { context.query.text("state") };
    let request = CallbackRequest {
        state,
        secret: provider_login_cookie::read(&context.app.settings, &context.headers),
        fields: CallbackFields { code: text("code"), error: text("error"), iss: text("iss"), user: None },
        session: live.as_ref().map(|live| (live.view.user_id, live.id)),
        from: context.address,
    };
    let result = callback::handle(&context.app, &provider, request, &context.client().await?).await?;
    respond(&context, &provider, state, result).await
}

/// Keeps an answer that comes by a form, which has no cookie, and has the browser ask again by a link. It needs neither
/// CSRF token nor this origin: by itself it lets nobody in.
pub async fn submit(
    context: PageContext,
    Path(name): Path<String>,
    Extension(allowance): Extension<BodyAllowance>,
    body: Body,
) -> Result<Response, PageError> {
    refuse_ahead(&context)?;
    let provider = find(&context, &name).await?;
    let (bytes, _share) = form::read_bytes(body, &allowance).await?;
    if bytes.len() > MAX_ANSWER_LEN {
        return Err(FormError::TooLarge.into());
    }
    let fields: Fields = form::parse(&bytes)?;
    let text = |name: &str| fields.get(name).map(str::to_owned);
    let state = text("state").filter(|_| !fields.repeats(&ANSWER)).unwrap_or_default();
    let answer = CallbackFields { code: text("code"), error: text("error"), iss: text("iss"), user: text("user") };
    if !state::keep_answer(&context.app, &context.anonymous(), &provider, &state, &answer).await? {
        context.check_rate_limit(RateLimit::ProviderFrom(context.address)).await?;
    }
    let known: String =
        state.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(64).collect();
    let location = format!("/auth/login/with/{}/return?state={known}", provider.provider.name);
    Ok((StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response())
}
