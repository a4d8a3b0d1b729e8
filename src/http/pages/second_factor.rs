//! `/auth/login/second-factor`: completes a pending login (docs/protocol.md 8.2).

use super::after_login::{disabled_page, login_response};
use super::login;
use super::page_context::PageContext;
use crate::domain::login::pending::{self, Outstanding};
use crate::domain::login::second_factor::{
    self, AfterSecondFactor, CompletedLogin, SecondFactorAttempt, SecondFactorError,
};
use crate::domain::mfa::code::SecondFactor;
use crate::http::error::{self, InternalError};
use crate::http::form::Fields;
use crate::http::views::{self, CSRF_FAILED, CodePrompt, Problem, SecondFactorPage};
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const WRONG_CODE: Message = Message::new("second-factor-wrong-code");
const WRONG_RECOVERY_CODE: Message = Message::new("second-factor-wrong-recovery-code");
const PENDING_LOGIN_EXPIRED: Message = Message::new("second-factor-run-out");
const TOO_MANY_ATTEMPTS: Message = Message::new("second-factor-out-of-tries");
const CODES_REFUSED: Message = Message::new("second-factor-codes-refused");

/// Asks for the second factor.
pub async fn show(context: PageContext) -> Result<Response, InternalError> {
    let prompt =
        if context.query.get("with") == Some("recovery-code") { CodePrompt::RecoveryCode } else { CodePrompt::Totp };
    page(context, &Fields::default(), prompt, StatusCode::OK, FormErrors::default()).await
}

/// Checks the second factor and logs in.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, InternalError> {
    let fields = match context.fields(body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::bad_form(error)),
    };
    let (factor, prompt) = match fields.get("recovery_code") {
        Some(code) => (SecondFactor::RecoveryCode(code), CodePrompt::RecoveryCode),
        None => (SecondFactor::Code(fields.text("code")), CodePrompt::Totp),
    };
    if !context.is_csrf_valid(&fields) {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return page(context, &fields, prompt, StatusCode::FORBIDDEN, errors).await;
    }
    let token = context.pending_login_token().unwrap_or_default().to_owned();
    let attempt = SecondFactorAttempt { token: &token, factor, trust_device: fields.get("remember").is_some() };
    match second_factor::complete(&context.app, attempt, &context.client().await?).await {
        Ok(login) => complete(context, &fields, &login).await,
        Err(error) => error_response(context, &fields, prompt, error).await,
    }
}

async fn complete(
    mut context: PageContext,
    fields: &Fields,
    login: &CompletedLogin,
) -> Result<Response, InternalError> {
    context.password_attempt_succeeded(login.user.id).await;
    if let Some(device) = &login.device {
        context.set_device_cookie(device);
    }
    match &login.next {
        AfterSecondFactor::Session(opened) => {
            context.clear_pending_login();
            login_response(context, fields, opened)
        }
        AfterSecondFactor::VerifyAddress => login::require_email_verification(context, fields, login.user.id).await,
    }
}

async fn error_response(
    context: PageContext,
    fields: &Fields,
    prompt: CodePrompt,
    error: SecondFactorError,
) -> Result<Response, InternalError> {
    let wrong_code = match prompt {
        CodePrompt::Totp => WRONG_CODE,
        CodePrompt::RecoveryCode => WRONG_RECOVERY_CODE,
    };
    match error {
        SecondFactorError::Wrong => {
            let errors = FormErrors { code: Some(&wrong_code), ..FormErrors::default() };
            page(context, fields, prompt, StatusCode::UNAUTHORIZED, errors).await
        }
        SecondFactorError::LockedOut => {
            let errors = FormErrors { form: Some(&CODES_REFUSED), ..FormErrors::default() };
            page(context, fields, CodePrompt::RecoveryCode, StatusCode::UNAUTHORIZED, errors).await
        }
        SecondFactorError::Throttled(retry_after) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        SecondFactorError::Unknown => restart_login(context, fields, &PENDING_LOGIN_EXPIRED),
        SecondFactorError::OutOfAttempts => restart_login(context, fields, &TOO_MANY_ATTEMPTS),
        SecondFactorError::Disabled => Ok(disabled_page(context, fields)),
        SecondFactorError::Failed(error) => Err(InternalError::new(error, context.id)),
    }
}

/// Ends the pending login and asks for the password again.
fn restart_login(mut context: PageContext, fields: &Fields, message: &Message) -> Result<Response, InternalError> {
    context.clear_pending_login();
    login::form_page(context, fields, StatusCode::UNAUTHORIZED, Some(message))
}

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors<'a> {
    code: Option<&'a Message>,
    form: Option<&'a Message>,
}

async fn page(
    mut context: PageContext,
    fields: &Fields,
    prompt: CodePrompt,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, InternalError> {
    let token = context.pending_login_token().unwrap_or_default();
    let found = pending::find_pending_login(&context.app, token, Outstanding::SecondFactor)
        .await
        .map_err(|error| InternalError::new(error, context.id))?;
    let Some(user) = found else {
        return if status == StatusCode::OK {
            let target = context.return_to(fields);
            Ok(context.redirect_to_login_with(target.as_deref()))
        } else {
            restart_login(context, fields, &PENDING_LOGIN_EXPIRED)
        };
    };
    let csrf = context.csrf()?;
    let return_to = context.return_to(fields);
    let view = SecondFactorPage {
        layout: context.layout(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        username: &user.username,
        prompt,
        remember: fields.get("remember").is_some(),
        code_error: errors.code,
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
