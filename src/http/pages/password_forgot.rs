//! `/auth/password/forgot`: requests a password reset link. Response and timing are the same whether or not the account
//! exists, which prevents account enumeration (OWASP Forgot Password).

use super::page_context::PageContext;
use super::shared_fields::AddressFields;
use crate::domain::identity::identifiers::EmailAddress;
use crate::domain::mailed_token::token::{IssueOptions, RESEND_INTERVAL};
use crate::domain::verification::password_reset_request;
use crate::http::form::{FormErrors, FromAnywhere};
use crate::http::page_error::PageError;
use crate::http::views::{self, ForgotPasswordPage, ResetSentPage};
use crate::http::{return_to, sealed_address};
use crate::rate_limit::{RateLimit, RateLimitError};
use axum::http::StatusCode;
use axum::response::Response;

const SENT_PATH: &str = "/auth/password/forgot?notice=sent";

/// Asks for the email address, or confirms the request.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    if context.query.get("notice") == Some("sent") {
        return sent_page(&context);
    }
    page(&context, &FormErrors::default())
}

pub async fn submit(context: PageContext, submitted: FromAnywhere<AddressFields>) -> Result<Response, PageError> {
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, &errors),
    };
    let email = match EmailAddress::parse_existing(&form.email).map_or_else(|| EmailAddress::parse(&form.email), Ok) {
        Ok(email) => email,
        Err(message) => return page(&context, &form.refused_field("email", message)),
    };
    context.check_rate_limit(RateLimit::MailFrom(context.address)).await?;
    let return_to = context.return_to(form.typed());
    let options = IssueOptions { return_to: return_to.as_deref(), locale: context.language.locale };
    match password_reset_request::request_reset(&context.app, &context.anonymous(), &email, options).await {
        Ok(()) => {}
        // No 429: it would tell an attacker who floods another user's address when to retry. The last link still works.
        Err(RateLimitError::Exceeded(_)) => {
            tracing::info!("rate limit exceeded for password reset emails to one address");
        }
        Err(RateLimitError::Failed(error)) => return Err(error.into()),
    }
    let path = sealed_address::append(&context.app, SENT_PATH, email.as_str());
    Ok(context.redirect(Some(&return_to::append(&path, return_to.as_deref()))))
}

/// Confirms the request, in the same words whether or not there is an account.
fn sent_page(context: &PageContext) -> Result<Response, PageError> {
    let return_to = context.return_to(FormErrors::default().typed());
    let about = sealed_address::read(&context.app, &context.query);
    let view = ResetSentPage {
        layout: &context.shell(context.layout(), None)?,
        return_to: return_to.as_deref(),
        email: about.as_deref(),
        resend_after: RESEND_INTERVAL.as_secs(),
    };
    Ok(views::page(StatusCode::OK, &view))
}

fn page(context: &PageContext, errors: &FormErrors) -> Result<Response, PageError> {
    let return_to = context.return_to(errors.typed());
    let view = ForgotPasswordPage {
        layout: &context.shell(context.layout(), errors.form())?,
        return_to: return_to.as_deref(),
        email: errors.field("email"),
    };
    Ok(views::page(errors.status(), &view))
}
