//! How a login with a provider goes on (docs/reference/browser.md 8.5).

use super::after_login::{disabled_page, second_factor_response};
use super::page_context::PageContext;
use super::{login, paths, provider_asked, provider_refused, signup};
use crate::domain::provider_login::callback::CallbackResult;
use crate::domain::provider_login::outcome::CallbackOutcome;
use crate::domain::session::lifecycle::OpenedSession;
use crate::http::form::Typed;
use crate::http::page_error::PageError;
use crate::http::return_to;
use crate::http::views::Problem;
use crate::store::ProviderRow;
use axum::response::Response;
use std::sync::Arc;

/// The response to how a login goes on.
pub(super) async fn respond(
    context: &PageContext,
    provider: &Arc<ProviderRow>,
    state: &str,
    result: CallbackResult,
) -> Result<Response, PageError> {
    let CallbackResult { outcome, return_to, invitation } = result;
    let return_to = return_to.and_then(|target| context.recheck_return_to(&target));
    let target = match &invitation {
        Some(token) => Some(return_to::append(&format!("/auth/invitations/{token}"), return_to.as_deref())),
        None => return_to.clone(),
    };
    match outcome {
        CallbackOutcome::LoggedIn(opened) => logged_in(context, &opened, target.as_deref()),
        CallbackOutcome::SecondFactorNeeded(pending) => {
            Ok(second_factor_response(context, &pending, target.as_deref()))
        }
        CallbackOutcome::Unverified(stopped) => login::require_verification(context, &stopped, target).await,
        CallbackOutcome::Disabled => Ok(disabled_page(context, &Typed::default())),
        CallbackOutcome::VerificationRequired(id) => {
            context.set_pending_verification(id);
            Ok(context.redirect(Some("/auth/email/verify")))
        }
        CallbackOutcome::Ask(_) => provider_asked::ask_again(context, provider, state).await,
        CallbackOutcome::Changed => provider_asked::void(context).await,
        CallbackOutcome::AddressTaken => provider_refused::address_taken(context, return_to).await,
        CallbackOutcome::Fields(errors) => {
            provider_refused::signup_fields(context, invitation.as_deref(), errors).await
        }
        CallbackOutcome::NotAdmitted(why) => Ok(signup::refused_page(context, &Typed::default(), why)),
        CallbackOutcome::InvitedElsewhere(email) => Ok(provider_refused::invited_elsewhere(context, provider, &email)),
        CallbackOutcome::Connected => Ok(context.redirect(Some(&format!("{}?done=connected", paths::CONNECTIONS)))),
        CallbackOutcome::LoggedInBefore => Ok(context.redirect(target.as_deref())),
        CallbackOutcome::IdentityTaken => Ok(provider_refused::identity_taken(context, provider)),
        CallbackOutcome::TooManyIdentities => Ok(provider_refused::too_many_identities(context)),
        CallbackOutcome::Refused(refused) => provider_refused::page(context, provider, &refused, return_to).await,
        CallbackOutcome::TooSoon(retry_after) => Err(Problem::TooManyRequests { retry_after }.into()),
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
