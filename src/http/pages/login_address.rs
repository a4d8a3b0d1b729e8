//! `/auth/login/address`: asks for an email address before a login that requires a verified one, where the account has
//! none (docs/protocol.md 8.1, 10.9).

use super::page_context::PageContext;
use super::submission::EarlyResponse;
use crate::domain::login::pending::{self, Outstanding};
use crate::domain::verification::email_change::ChangeEmailError;
use crate::domain::verification::missing_address;
use crate::domain::verification::token::IssueOptions;
use crate::http::error::{self, InternalError};
use crate::http::form::Fields;
use crate::http::views::{self, CSRF_FAILED, Field, LoginAddressPage, Problem};
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors<'a> {
    email: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Asks for the address.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    page(context, &Fields::default(), StatusCode::OK, FormErrors::default()).await
}

/// Emails link and code to the address, and redirects to the page that asks for the code.
pub async fn submit(mut context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let (fields, csrf_valid) = context.form(body).await?;
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return page(context, &fields, StatusCode::FORBIDDEN, errors).await;
    }
    context.check_rate_limit(RateLimit::MailFrom(context.address)).await?;
    let return_to = context.return_to(&fields);
    let options = IssueOptions { return_to: return_to.as_deref(), locale: context.language.locale };
    let token = context.pending_login_token().unwrap_or_default();
    match missing_address::enter_address(&context.app, token, fields.text("email"), options).await {
        Ok(token_id) => {
            context.set_pending_verification(token_id);
            Ok(context.redirect(Some("/auth/email/verify")))
        }
        Err(ChangeEmailError::Field(message)) => {
            let errors = FormErrors { email: Some(&message), ..FormErrors::default() };
            page(context, &fields, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(ChangeEmailError::TooSoon(retry_after)) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        Err(ChangeEmailError::NoSuchUser) => Ok(context.redirect_to_login_with(return_to.as_deref())),
        Err(ChangeEmailError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

async fn page(
    mut context: PageContext,
    fields: &Fields,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let return_to = context.return_to(fields);
    let token = context.pending_login_token().unwrap_or_default();
    let found = pending::find_pending_login(&context.app, token, Outstanding::EmailAddress).await;
    let Some(user) = found.map_err(|error| InternalError::new(error, context.id))? else {
        return Ok(context.redirect_to_login_with(return_to.as_deref()));
    };
    let csrf = context.csrf()?;
    let view = LoginAddressPage {
        layout: context.layout(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        username: &user.username,
        email: Field { value: fields.text("email"), error: errors.email },
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
