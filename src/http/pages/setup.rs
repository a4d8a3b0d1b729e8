//! `/auth/setup/{token}`: the signup page for the first administrator (docs/reference/browser.md 10.3).

use super::after_login::login_response_to;
use super::email_verify::link_outcome_page;
use super::page_context::PageContext;
use super::signup::{Entrance, SignupFields, field_errors, form_page, input};
use crate::domain::registration::new_account::SignupError;
use crate::domain::registration::setup;
use crate::http::form::{FormErrors, ShownTo, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::LinkOutcome;
use crate::rate_limit::RateLimit;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;

/// The pages of administrators, which say that it is done.
const DONE: &str = "/auth/admin?done=setup";

pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, PageError> {
    require_valid(&context, &token).await?;
    form_page(&context, Entrance::Setup(&token), &FormErrors::default()).await
}

pub async fn submit(
    context: PageContext,
    Path(token): Path<String>,
    submitted: Submitted<SignupFields>,
) -> Result<Response, PageError> {
    require_valid(&context, &token).await?;
    let form = match submitted.verified(ShownTo::Anyone) {
        Ok(form) => form,
        Err(errors) => return form_page(&context, Entrance::Setup(&token), &errors).await,
    };
    context.check_rate_limit(RateLimit::SignupFrom(context.address)).await?;
    match setup::sign_up(&context.app, &token, input(&context, &form), &context.client().await?).await {
        Ok(Some(opened)) => login_response_to(&context, &opened, Some(DONE)),
        Ok(None) => Ok(void(&context)),
        Err(SignupError::Fields(errors)) => {
            form_page(&context, Entrance::Setup(&token), &field_errors(&form, errors)).await
        }
        Err(SignupError::Failed(error)) => Err(error.into()),
        Err(other @ (SignupError::InvitationVoid | SignupError::IdentityTaken | SignupError::TooSoon(_))) => {
            Err(crate::error::Error::Inconsistent(other.to_string()).into())
        }
    }
}

async fn require_valid(context: &PageContext, token: &str) -> Result<(), PageError> {
    if setup::is_valid(&context.app, &context.anonymous(), token).await? { Ok(()) } else { Err(void(context).into()) }
}

/// One page for a link that is used, replaced, expired, of another service, or late, as there is an administrator: it
/// does not say which.
fn void(context: &PageContext) -> Response {
    link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::SetupLinkInvalid)
}
