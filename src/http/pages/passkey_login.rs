//! `/auth/login/passkey`: login with a passkey (docs/reference/browser.md 8.2).

use super::login::{form_page, outcome_response};
use super::page_context::PageContext;
use super::shared_fields::PasskeyFields;
use crate::domain::login::passkey;
use crate::http::form::FromAnywhere;
use crate::http::page_error::PageError;
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
    match passkey::log_in(&context.app, &form.response(), &client, context.address).await {
        Ok(outcome) => outcome_response(&context, &form.again(), outcome).await,
        Err(error) => {
            let errors = form.again().refused(error)?.with_status(StatusCode::UNAUTHORIZED);
            form_page(&context, &errors).await
        }
    }
}
