//! `/auth/password/reset/{token}`: sets a new password (docs/protocol.md 10.5). GET changes nothing, as mail scanners
//! follow links.

use super::email_verify::link_outcome_page;
use super::page_context::PageContext;
use super::submission::EarlyResponse;
use super::whose_account::{self, NOT_ANSWERED};
use crate::domain::account::unverified::WhoseAccount;
use crate::domain::verification::password_reset::{self, Reset, ResetError};
use crate::http::error::InternalError;
use crate::http::return_to;
use crate::http::views::{self, AccountQuestion, CSRF_FAILED, LinkOutcome, ResetPasswordPage};
use crate::messages::Message;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Asks for the new password.
pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, EarlyResponse> {
    page(context, &token, None, StatusCode::OK, FormErrors::default()).await
}

/// Sets the password. Opens no session: the login that follows still asks for a second factor.
pub async fn submit(context: PageContext, Path(token): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let (fields, csrf_valid) = context.form(body).await?;
    let answer = whose_account::whose(&fields);
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return page(context, &token, answer, StatusCode::FORBIDDEN, errors).await;
    }
    let password = SecretString::from(fields.text("password"));
    match password_reset::reset(&context.app, &token, password, answer, &context.device(), context.language.locale)
        .await
    {
        Ok(Reset { user, return_to }) => {
            // Failed guesses at the old password must not delay the owner's login.
            context.password_attempt_succeeded(user).await;
            let target = return_to.and_then(|target| context.recheck_return_to(&target));
            let path = return_to::append("/auth/login?notice=password-set", target.as_deref());
            Ok(context.redirect(Some(&path)))
        }
        Err(ResetError::Unknown) => {
            Ok(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::ResetLinkInvalid))
        }
        Err(ResetError::Fields { password, answer_missing }) => {
            let answer_error = answer_missing.then_some(&NOT_ANSWERED);
            let errors = FormErrors { password: password.as_ref(), answer: answer_error, form: None };
            page(context, &token, answer, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(ResetError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors<'a> {
    password: Option<&'a Message>,
    answer: Option<&'a Message>,
    form: Option<&'a Message>,
}

async fn page(
    mut context: PageContext,
    token: &str,
    answer: Option<WhoseAccount>,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let found =
        password_reset::find_reset(&context.app, token).await.map_err(|error| InternalError::new(error, context.id))?;
    let Some(found) = found else {
        return Ok(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::ResetLinkInvalid));
    };
    let csrf = context.csrf()?;
    let view = ResetPasswordPage {
        layout: context.layout(),
        csrf: &csrf,
        token,
        email: &found.email,
        min_password_length: context.app.settings.accounts.password_min_length,
        question: found.question.as_ref().map(|account| AccountQuestion { account, answer, error: errors.answer }),
        password_error: errors.password,
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
