//! How a login with a provider goes on (docs/reference/browser.md 8.5).

use super::after_login::{disabled_page, second_factor_response};
use super::page_context::PageContext;
use super::{login, paths, provider_asked, provider_refused, signup};
use crate::domain::provider_login::callback::Returned;
use crate::domain::provider_login::outcome::ReturnOutcome;
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
        ReturnOutcome::Ask(_) => provider_asked::ask_again(context, provider, state).await,
        ReturnOutcome::Changed => provider_asked::void(context).await,
        ReturnOutcome::AddressTaken => provider_refused::address_taken(context, return_to).await,
        ReturnOutcome::Fields(errors) => provider_refused::signup_fields(context, invitation.as_deref(), errors).await,
        ReturnOutcome::NotAdmitted(why) => Ok(signup::refused_page(context, &Typed::default(), why)),
        ReturnOutcome::InvitedElsewhere(email) => Ok(provider_refused::invited_elsewhere(context, provider, &email)),
        ReturnOutcome::Connected => Ok(context.redirect(Some(&format!("{}?done=connected", paths::CONNECTIONS)))),
        ReturnOutcome::LoggedInBefore => Ok(context.redirect(target.as_deref())),
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
