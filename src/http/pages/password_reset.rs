//! `/auth/password/reset/{token}`: sets a new password (docs/protocol.md 10.5). GET changes nothing, as mail scanners
//! follow links.

use super::email_verify::link_outcome_page;
use super::page_context::PageContext;
use super::submission::EarlyResponse;
use crate::domain::verification::password_reset::{self, Reset, ResetError, UnverifiedAccount};
use crate::http::error::InternalError;
use crate::http::form::Fields;
use crate::http::return_to;
use crate::http::views::{self, CSRF_FAILED, LinkOutcome, ResetPasswordPage, UnverifiedAccountChoice};
use crate::messages::Message;
use axum::body::Body;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Asks for the new password.
pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, EarlyResponse> {
    page(context, &token, UnverifiedAccount::Keep, StatusCode::OK, FormErrors::default()).await
}

/// Sets the password. Opens no session: the login that follows still asks for a second factor.
pub async fn submit(context: PageContext, Path(token): Path<String>, body: Body) -> Result<Response, EarlyResponse> {
    let (fields, csrf_valid) = context.form(body).await?;
    let choice = parse_choice(&fields);
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return page(context, &token, choice, StatusCode::FORBIDDEN, errors).await;
    }
    let password = SecretString::from(fields.text("password"));
    match password_reset::reset(&context.app, &token, password, choice, &context.device(), context.language.locale)
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
        Err(ResetError::Password(message)) => {
            let errors = FormErrors { password: Some(&message), ..FormErrors::default() };
            page(context, &token, choice, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(ResetError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors<'a> {
    password: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// What happens to an account whose email address was never verified.
fn parse_choice(fields: &Fields) -> UnverifiedAccount {
    if fields.get("account") == Some("anew") { UnverifiedAccount::Replace } else { UnverifiedAccount::Keep }
}

async fn page(
    mut context: PageContext,
    token: &str,
    choice: UnverifiedAccount,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let found =
        password_reset::find_reset(&context.app, token).await.map_err(|error| InternalError::new(error, context.id))?;
    let Some(user) = found else {
        return Ok(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::ResetLinkInvalid));
    };
    let csrf = context.csrf()?;
    let view = ResetPasswordPage {
        layout: context.layout(),
        csrf: &csrf,
        token,
        email: &user.email,
        min_password_length: context.app.settings.accounts.password_min_length,
        unverified: user.email_verified_at.is_none().then_some(UnverifiedAccountChoice {
            username: &user.username,
            created_at: user.created_at,
            choice,
        }),
        password_error: errors.password,
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
