//! `/auth/login/with/{name}/return`: ends a login with a provider (docs/reference/browser.md 8.5).

use super::after_login::{disabled_page, second_factor_response};
use super::page_context::PageContext;
use super::provider_questions::{self, AskedLogin};
use super::provider_refused;
use super::provider_start::{find, refuse_ahead};
use super::{login, paths};
use crate::domain::provider_login::claim::{self, MAX_ANSWER_LEN};
use crate::domain::provider_login::outcome::ReturnOutcome;
use crate::domain::provider_login::refusal::note_unknown_state;
use crate::domain::provider_login::returned::{self, ReturnFields, ReturnStep, Returned, ReturningBrowser};
use crate::domain::session::lifecycle::OpenedSession;
use crate::http::body_budget::BodyAllowance;
use crate::http::form::{self, Fields, FormError, Typed};
use crate::http::page_error::PageError;
use crate::http::views::Problem;
use crate::http::{foreign_cookie, return_to};
use crate::rate_limit::RateLimit;
use crate::store::ProviderRow;
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
    let browser = ReturningBrowser {
        state,
        secret: foreign_cookie::read(&context.app.settings, &context.headers),
        fields: ReturnFields { code: text("code"), error: text("error"), iss: text("iss"), user: None },
        session: live.as_ref().map(|live| (live.view.user_id, live.id)),
        from: context.address,
    };
    let client = context.client().await?;
    match returned::returned(&context.app, &provider, browser, &client).await? {
        ReturnStep::Going(returned) => respond(&context, &provider, state, returned).await,
        ReturnStep::Again { return_to, waiting } => {
            let return_to = return_to.and_then(|target| context.recheck_return_to(&target));
            if live.is_some() && waiting.is_none() {
                return Ok(context.redirect(return_to.as_deref()));
            }
            if let Some(waiting) = waiting {
                let asked = AskedLogin { provider, waiting: *waiting, state: state.to_owned() };
                return provider_questions::ask(&context, &asked).await;
            }
            // Before the line in the log, as below.
            context.check_rate_limit(RateLimit::ProviderFrom(context.address)).await?;
            let refused = returned::refuse_used(&context.app, &provider, &client);
            provider_refused::page(&context, &provider, &refused, return_to).await
        }
        ReturnStep::Unknown => {
            // Before the line in the log: anyone can send one.
            context.check_rate_limit(RateLimit::ProviderFrom(context.address)).await?;
            let refused = note_unknown_state(&context.app, &provider.provider);
            provider_refused::page(&context, &provider, &refused, None).await
        }
    }
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
    let answer = ReturnFields { code: text("code"), error: text("error"), iss: text("iss"), user: text("user") };
    if !claim::keep_answer(&context.app, &context.anonymous(), &provider, &state, &answer).await? {
        context.check_rate_limit(RateLimit::ProviderFrom(context.address)).await?;
    }
    let known: String =
        state.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(64).collect();
    let location = format!("/auth/login/with/{}/return?state={known}", provider.provider.name);
    Ok((StatusCode::SEE_OTHER, [(LOCATION, location)]).into_response())
}

/// The response to how a login goes on.
pub(super) async fn respond(
    context: &PageContext,
    provider: &std::sync::Arc<ProviderRow>,
    state: &str,
    returned: Returned,
) -> Result<Response, PageError> {
    let Returned { outcome, return_to, invitation } = returned;
    let return_to = return_to.and_then(|target| context.recheck_return_to(&target));
    let target = match &invitation {
        Some(token) => Some(return_to::append(&format!("/auth/invitations/{token}"), return_to.as_deref())),
        None => return_to.clone(),
    };
    match outcome {
        ReturnOutcome::LoggedIn(opened) => logged_in(context, &opened, target.as_deref()),
        ReturnOutcome::SecondFactorNeeded(pending) => Ok(second_factor_response(context, &pending, target.as_deref())),
        ReturnOutcome::Unverified(stopped) => login::require_verification(context, &stopped, target).await,
        ReturnOutcome::Disabled => Ok(disabled_page(context, &Typed::default())),
        ReturnOutcome::VerificationRequired(id) => {
            context.set_pending_verification(id);
            Ok(context.redirect(Some("/auth/email/verify")))
        }
        ReturnOutcome::Ask(_) => provider_questions::ask_again(context, provider, state).await,
        ReturnOutcome::Changed => provider_questions::void(context).await,
        ReturnOutcome::AddressTaken => provider_refused::address_taken(context, return_to).await,
        ReturnOutcome::Fields(errors) => provider_refused::signup_fields(context, invitation.as_deref(), errors).await,
        ReturnOutcome::NotAdmitted(why) => Ok(provider_refused::not_admitted(context, provider, &why)),
        ReturnOutcome::Connected => Ok(context.redirect(Some(&format!("{}?done=connected", paths::CONNECTIONS)))),
        ReturnOutcome::IdentityTaken => Ok(provider_refused::identity_taken(context, provider)),
        ReturnOutcome::TooManyIdentities => Ok(provider_refused::too_many_identities(context)),
        ReturnOutcome::Refused(refused) => provider_refused::page(context, provider, &refused, return_to).await,
        ReturnOutcome::TooSoon(retry_after) => Err(Problem::TooManyRequests { retry_after }.into()),
    }
}

fn logged_in(context: &PageContext, opened: &OpenedSession, target: Option<&str>) -> Result<Response, PageError> {
    context.set_session_cookies(opened);
    context.replace_csrf()?;
    if !opened.has_address {
        return Ok(context.redirect(Some(&return_to::append(paths::ACCOUNT_EMAIL, target))));
    }
    Ok(context.redirect(target))
}
