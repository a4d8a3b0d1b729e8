//! `/auth/password/forgot`: requests a password reset link. Response and timing are the same whether or not the account
//! exists, which prevents account enumeration (OWASP Forgot Password).

use super::email_verify::link_outcome_page;
use super::page_context::PageContext;
use super::submission::EarlyResponse;
use crate::domain::account::identity::EmailAddress;
use crate::domain::verification::password_reset_request;
use crate::domain::verification::token::IssueOptions;
use crate::http::error::InternalError;
use crate::http::form::Fields;
use crate::http::return_to;
use crate::http::views::{self, CSRF_FAILED, Field, ForgotPasswordPage, LinkOutcome};
use crate::messages::Message;
use crate::rate_limit::{RateLimit, RateLimitError};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const SENT_PATH: &str = "/auth/password/forgot?notice=sent";

/// Asks for the email address, or confirms the request.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    if context.query.get("notice") == Some("sent") {
        return Ok(link_outcome_page(context, StatusCode::OK, LinkOutcome::ResetSent));
    }
    page(context, &Fields::default(), StatusCode::OK, None, None)
}

/// Requests the link.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let (fields, csrf_valid) = context.form(body).await?;
    if !csrf_valid {
        return page(context, &fields, StatusCode::FORBIDDEN, None, Some(&CSRF_FAILED));
    }
    let email = match EmailAddress::parse(fields.text("email")) {
        Ok(email) => email,
        Err(message) => return page(context, &fields, StatusCode::UNPROCESSABLE_ENTITY, Some(&message), None),
    };
    context.check_rate_limit(RateLimit::MailFrom(context.address)).await?;
    let return_to = context.return_to(&fields);
    let options = IssueOptions { return_to: return_to.as_deref(), locale: context.language.locale };
    match password_reset_request::request_reset(&context.app, &email, options).await {
        Ok(()) => {}
        // No 429: it would tell an attacker who floods another user's address when to retry. The last link still works.
        Err(RateLimitError::Exceeded(_)) => {
            tracing::info!("rate limit exceeded for password reset emails to one address");
        }
        Err(RateLimitError::Failed(error)) => return Err(InternalError::new(error, context.id).into()),
    }
    Ok(context.redirect(Some(&return_to::append(SENT_PATH, return_to.as_deref()))))
}

fn page(
    mut context: PageContext,
    fields: &Fields,
    status: StatusCode,
    email_error: Option<&Message>,
    form_error: Option<&Message>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let return_to = context.return_to(fields);
    let view = ForgotPasswordPage {
        layout: context.layout(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        email: Field { value: fields.text("email"), error: email_error },
        form_error,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
