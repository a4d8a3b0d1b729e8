//! `/auth/login` (docs/protocol.md 8.1).

use super::after_login::disabled_page;
use super::after_login::login_response;
use super::after_login::redirect_logged_in;
use super::page_context::PageContext;
use super::paths;
use super::submission::EarlyResponse;
use crate::domain::login::complete::LoginOutcome;
use crate::domain::login::error::LoginError;
use crate::domain::login::{passkey, password};
use crate::domain::verification::request::{self, VerificationStep};
use crate::domain::verification::token::IssueOptions;
use crate::http::error::{self, InternalError};
use crate::http::form::Fields;
use crate::http::return_to;
use crate::http::views::{self, CSRF_FAILED, LoginPage};
use crate::messages::{Key, Message};
use crate::model::ids::UserId;
use crate::settings::{EmailVerification, Signup};
use crate::store::UserRow;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

/// Shows the form, or redirects a logged-in user.
pub async fn show(mut context: PageContext) -> Result<Response, InternalError> {
    let fields = Fields::default();
    if let Some(live) = context.session().await? {
        let return_to = context.return_to(&fields);
        return redirect_logged_in(context, &live, return_to.as_deref()).await;
    }
    form_page(context, &fields, StatusCode::OK, None)
}

/// Checks the password and logs in.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let fields = match context.fields(body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::bad_form(error)),
    };
    if !context.is_csrf_valid(&fields) {
        return Ok(form_page(context, &fields, StatusCode::FORBIDDEN, Some(&CSRF_FAILED))?);
    }
    let user = context.begin_login_attempt(fields.text("email")).await?;
    Ok(log_in(context, &fields, user).await?)
}

async fn log_in(mut context: PageContext, fields: &Fields, user: Option<UserRow>) -> Result<Response, InternalError> {
    let app = context.app.clone();
    let client = context.client().await?;
    let password = SecretString::from(fields.text("password"));
    match password::log_in(&app, user, password, &client).await {
        Ok((user, LoginOutcome::Session(opened))) => {
            context.password_attempt_succeeded(user).await;
            login_response(context, fields, &opened)
        }
        Ok((_, LoginOutcome::SecondFactorNeeded(pending))) => {
            context.set_pending_login(&pending);
            let next = paths::second_factor(context.return_to(fields).as_deref(), false);
            Ok(context.redirect(Some(&next)))
        }
        Err(LoginError::WrongCredentials) => {
            form_page(context, fields, StatusCode::UNAUTHORIZED, Some(&LoginPage::WRONG_CREDENTIALS))
        }
        Err(LoginError::Unverified(user)) => {
            context.password_attempt_succeeded(user).await;
            require_email_verification(context, fields, user).await
        }
        Err(LoginError::Disabled) => Ok(disabled_page(context, fields)),
        Err(LoginError::Failed(error)) => Err(InternalError::new(error, context.id)),
    }
}

/// After a correct password: sends a verification email and redirects to the page that asks for its code, or to the one
/// that asks for an email address.
pub(super) async fn require_email_verification(
    mut context: PageContext,
    fields: &Fields,
    user: UserId,
) -> Result<Response, InternalError> {
    let return_to = context.return_to(fields);
    let options = IssueOptions { return_to: return_to.as_deref(), locale: context.language.locale };
    let step = request::request_verification(&context.app, user, options).await;
    match step.map_err(|error| InternalError::new(error, context.id))? {
        Some(VerificationStep::Verify(token_id)) => {
            context.set_pending_verification(token_id);
            Ok(context.redirect(Some("/auth/email/verify")))
        }
        Some(VerificationStep::EnterAddress(pending)) => {
            context.set_pending_login(&pending);
            let path = return_to::append(paths::LOGIN_ADDRESS, return_to.as_deref());
            Ok(context.redirect(Some(&path)))
        }
        // Verified in the meantime.
        None => form_page(context, fields, StatusCode::OK, None),
    }
}

/// The notice named by `?notice=`.
fn notice(context: &PageContext) -> Option<Key> {
    match context.query.get("notice")? {
        "confirmed" => Some(Key("log-in-confirmed")),
        "password-set" => Some(Key("log-in-password-set")),
        _ => None,
    }
}

/// The form with the submitted values and the error.
pub(super) fn form_page(
    mut context: PageContext,
    fields: &Fields,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, InternalError> {
    let csrf = context.csrf()?;
    let return_to = context.return_to(fields);
    let passkey =
        passkey::login_challenge(&context.app, &csrf).map_err(|error| InternalError::new(error, context.id))?;
    let page = views::page(
        status,
        &LoginPage {
            layout: context.layout(),
            csrf: &csrf,
            return_to: return_to.as_deref(),
            login: fields.text("email"),
            form_error,
            notice: notice(&context).filter(|_| form_error.is_none()),
            verification_required: context.app.settings.accounts.email_verification == EmailVerification::Required,
            passkey: passkey.as_ref(),
            signup_open: context.app.settings.accounts.signup == Signup::Open,
        },
    );
    Ok(context.respond(page))
}
