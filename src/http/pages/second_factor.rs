//! `/auth/login/second-factor`: completes a pending login (docs/reference/browser.md 8.2).

use super::after_login::{disabled_page, login_response, login_response_done};
use super::done::AccountNotice;
use super::login;
use super::page_context::PageContext;
use crate::domain::login::pending::Outstanding;
use crate::domain::login::second_factor::{
    self, AfterSecondFactor, CompletedLogin, SecondFactorAttempt, SecondFactorError,
};
use crate::domain::mfa::code::SecondFactor;
use crate::http::form::{Form, FormErrors, FormFields, FromAnywhere, Typed};
use crate::http::page_error::PageError;
use crate::http::views::{self, CodePrompt, Problem, SecondFactorPage, USED_CODE};
use crate::messages::Message;
use crate::model::mail_domain::in_letters;
use crate::model::user_label::UserLabel;
use crate::rate_limit::RefusedUntil;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

const RECOVERY_CODE: &str = "recovery_code";

/// The form, which asks for one of the two codes.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct SecondFactorFields {
    code: String,
    recovery_code: Option<String>,
    remember: Option<String>,
}

impl FormFields for SecondFactorFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["remember"];
}

impl SecondFactorFields {
    fn factor(&self) -> SecondFactor<'_> {
        self.recovery_code.as_deref().map_or(SecondFactor::Code(&self.code), SecondFactor::RecoveryCode)
    }
}

pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let prompt =
        if context.query.get("with") == Some("recovery-code") { CodePrompt::RecoveryCode } else { CodePrompt::Totp };
    page(&context, prompt, FormErrors::default()).await
}

/// Checks the second factor and logs in.
pub async fn submit(context: PageContext, submitted: FromAnywhere<SecondFactorFields>) -> Result<Response, PageError> {
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return page(&context, prompt_of(errors.typed()), errors).await,
    };
    let token = context.pending_login(Outstanding::SecondFactor).await?.map_or("", |(token, _)| token);
    let attempt = SecondFactorAttempt { token, factor: form.factor(), trust_device: form.remember.is_some() };
    match second_factor::complete(&context.app, attempt, &context.client().await?).await {
        Ok(login) => complete(&context, &form, &login).await,
        Err(error) => error_response(&context, &form, error).await,
    }
}

fn prompt_of(typed: &Typed) -> CodePrompt {
    if typed.has(RECOVERY_CODE) { CodePrompt::RecoveryCode } else { CodePrompt::Totp }
}

async fn complete(
    context: &PageContext,
    form: &Form<SecondFactorFields>,
    login: &CompletedLogin,
) -> Result<Response, PageError> {
    context.password_attempt_succeeded(login.user.id).await;
    if let Some(device) = &login.device {
        context.set_device_cookie(device);
    }
    match &login.next {
        AfterSecondFactor::Session(opened) => {
            context.clear_pending_login();
            if form.recovery_code.is_some() {
                let return_to = context.return_to(form.typed());
                return login_response_done(context, opened, return_to.as_deref(), AccountNotice::RecoveryCodeUsed);
            }
            login_response(context, form.typed(), opened)
        }
        AfterSecondFactor::VerifyAddress(stopped) => {
            login::require_email_verification(context, &form.again(), stopped).await
        }
    }
}

async fn error_response(
    context: &PageContext,
    form: &Form<SecondFactorFields>,
    error: SecondFactorError,
) -> Result<Response, PageError> {
    match error {
        SecondFactorError::Wrong => {
            let prompt = prompt_of(form.typed());
            let wrong_code = match prompt {
                CodePrompt::Totp => Message::new("second-factor-wrong-code"),
                CodePrompt::RecoveryCode => Message::new("second-factor-wrong-recovery-code"),
            };
            page(context, prompt, form.refused_field("code", wrong_code).with_status(StatusCode::UNAUTHORIZED)).await
        }
        SecondFactorError::Used => {
            let errors = form.refused_field("code", USED_CODE.clone()).with_status(StatusCode::UNAUTHORIZED);
            page(context, CodePrompt::Totp, errors).await
        }
        SecondFactorError::Refused(RefusedUntil::Cleared) => {
            let errors = form.refused(Message::new("second-factor-codes-refused"));
            page(context, CodePrompt::RecoveryCode, errors.with_status(StatusCode::UNAUTHORIZED)).await
        }
        SecondFactorError::Refused(RefusedUntil::Time(until)) => {
            Err(Problem::TooManyRequests { retry_after: until.since(context.app.clock.now()) }.into())
        }
        SecondFactorError::Unknown => restart_login(context, form.refused(EXPIRED)).await,
        SecondFactorError::OutOfAttempts => {
            restart_login(context, form.refused(Message::new("second-factor-out-of-tries"))).await
        }
        SecondFactorError::Disabled => Ok(disabled_page(context, form.typed())),
        SecondFactorError::Failed(error) => Err(error.into()),
    }
}

const EXPIRED: Message = Message::new("second-factor-run-out");

/// Ends the pending login and asks for the password again.
async fn restart_login(context: &PageContext, errors: FormErrors) -> Result<Response, PageError> {
    context.clear_pending_login();
    login::form_page(context, &errors.with_status(StatusCode::UNAUTHORIZED)).await
}

async fn page(context: &PageContext, prompt: CodePrompt, errors: FormErrors) -> Result<Response, PageError> {
    let Some((_, user)) = context.pending_login(Outstanding::SecondFactor).await? else {
        return if errors.status() == StatusCode::OK {
            let target = context.return_to(errors.typed());
            Ok(context.redirect_to_login_with(target.as_deref()))
        } else {
            restart_login(context, errors.and_form(EXPIRED)).await
        };
    };
    let return_to = context.return_to(errors.typed());
    let account = in_letters(UserLabel::new(None, &user.email, &user.username).account());
    let view = SecondFactorPage {
        layout: &context.shell(context.layout(), errors.form())?,
        return_to: return_to.as_deref(),
        account: &account,
        prompt,
        remember: errors.typed().has("remember"),
        code_error: errors.of("code"),
    };
    Ok(views::page(errors.status(), &view))
}
