//! `/auth/login/passkey`: login with a passkey (docs/reference/browser.md 8.2).

use super::after_login::{disabled_page, login_response};
use super::login::{form_page, require_email_verification};
use super::page_context::PageContext;
use super::shared_fields::PasskeyFields;
use crate::domain::login::passkey::{self, PasskeyLoginError};
use crate::http::form::FromAnywhere;
use crate::http::page_error::PageError;
use crate::http::views::Problem;
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use axum::http::StatusCode;
use axum::response::Response;

pub async fn submit(context: PageContext, submitted: FromAnywhere<PasskeyFields>) -> Result<Response, PageError> {
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return form_page(&context, &errors).await,
    };
    context.check_rate_limit(RateLimit::PasskeyFrom(context.address)).await?;
    let client = context.client().await?;
    let message = match passkey::log_in(&context.app, &form.response(), &client, context.address).await {
        Ok(opened) => return login_response(&context, form.typed(), &opened),
        Err(PasskeyLoginError::Unverified(stopped)) => {
            return require_email_verification(&context, &form.again(), &stopped).await;
        }
        Err(PasskeyLoginError::Disabled) => return Ok(disabled_page(&context, form.typed())),
        Err(PasskeyLoginError::TooSoon(retry_after)) => return Err(Problem::TooManyRequests { retry_after }.into()),
        Err(PasskeyLoginError::Failed(error)) => return Err(error.into()),
        Err(PasskeyLoginError::Void) => Message::new("passkey-void"),
        Err(PasskeyLoginError::Refused) => Message::new("passkey-log-in-refused"),
    };
    form_page(&context, &form.refused(message).with_status(StatusCode::UNAUTHORIZED)).await
}
