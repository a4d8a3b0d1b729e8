//! `/auth/login/passkey`: login with a passkey (docs/protocol.md 8.2).

use super::after_login::{disabled_page, login_response};
use super::login::{form_page, require_email_verification};
use super::page_context::PageContext;
use super::submission::EarlyResponse;
use crate::domain::login::passkey::{self, PasskeyLoginError};
use crate::domain::mfa::passkey::add::PasskeyResponse;
use crate::http::error::{self, InternalError};
use crate::http::views::{CSRF_FAILED, Problem};
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

/// Verifies the passkey and logs in.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let fields = match context.fields(body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::bad_form(error)),
    };
    if !context.is_csrf_valid(&fields) {
        return Ok(form_page(context, &fields, StatusCode::FORBIDDEN, Some(&CSRF_FAILED))?);
    }
    context.check_rate_limit(RateLimit::PasskeyFrom(context.address)).await?;
    let response = PasskeyResponse {
        credential: fields.text("credential"),
        state: fields.text("state"),
        csrf_token: fields.csrf().unwrap_or_default(),
    };
    let message = match passkey::log_in(&context.app, &response, &context.client().await?).await {
        Ok(opened) => return Ok(login_response(context, &fields, &opened)?),
        Err(PasskeyLoginError::Unverified(user)) => {
            return Ok(require_email_verification(context, &fields, user).await?);
        }
        Err(PasskeyLoginError::Disabled) => return Ok(disabled_page(context, &fields)),
        Err(PasskeyLoginError::TooSoon(retry_after)) => {
            return Ok(error::problem(Problem::TooManyRequests { retry_after }));
        }
        Err(PasskeyLoginError::Failed(error)) => return Err(InternalError::new(error, context.id).into()),
        Err(PasskeyLoginError::Void) => Message::new("passkey-void"),
        Err(PasskeyLoginError::Refused) => Message::new("passkey-log-in-refused"),
    };
    Ok(form_page(context, &fields, StatusCode::UNAUTHORIZED, Some(&message))?)
}
