//! `/auth/password/reset/{token}`: sets a new password (docs/reference/browser.md 10.5). GET changes nothing, as mail
//! scanners follow links.

use super::after_login::{login_response_done, second_factor_response};
use super::done::AccountNotice;
use super::email_verify::link_outcome_page;
use super::page_context::PageContext;
use super::whose_account::whose;
use crate::domain::login::complete::LoginOutcome;
use crate::domain::verification::password_reset::{self, Reset};
use crate::http::form::{FormErrors, FormFields, ShownTo, Submitted};
use crate::http::page_error::PageError;
use crate::http::views::{self, AccountQuestion, LinkOutcome, ResetPasswordPage};
use crate::http::{return_to, sealed_address};
use crate::refusal::{ChangeError, Refusal};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ResetFields {
    password: SecretString,
    account: Option<String>,
}

impl FormFields for ResetFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["account"];
}

pub async fn show(context: PageContext, Path(token): Path<String>) -> Result<Response, PageError> {
    page(&context, &token, &FormErrors::default()).await
}

/// Sets the password, and logs in or asks for the second factor.
pub async fn submit(
    context: PageContext,
    Path(token): Path<String>,
    submitted: Submitted<ResetFields>,
) -> Result<Response, PageError> {
    let form = match submitted.verified(ShownTo::Anyone) {
        Ok(form) => form,
        Err(errors) => return page(&context, &token, &errors).await,
    };
    let (password, answer) = (form.password.clone(), whose(form.account.as_deref()));
    match password_reset::reset(&context.app, &token, password, answer, &context.client().await?).await {
        Ok(reset) => reset_response(&context, reset).await,
        Err(ChangeError::Refused(Refusal::NotFound(_))) => {
            Ok(link_outcome_page(&context, StatusCode::NOT_FOUND, LinkOutcome::ResetLinkInvalid))
        }
        Err(error) => page(&context, &token, &form.again().refused(error)?).await,
    }
}

async fn reset_response(context: &PageContext, reset: Reset) -> Result<Response, PageError> {
    let Reset { user, email, return_to, login } = reset;
    // Failed guesses at the old password must not delay the owner's login.
    context.password_attempt_succeeded(user).await;
    let target = return_to.and_then(|target| context.recheck_return_to(&target));
    match login {
        LoginOutcome::Session(opened) => {
            login_response_done(context, &opened, target.as_deref(), AccountNotice::PasswordChanged)
        }
        LoginOutcome::SecondFactorNeeded(pending) => Ok(second_factor_response(context, &pending, target.as_deref())),
        // The login page says what else it takes.
        LoginOutcome::Unverified(_) | LoginOutcome::Disabled => {
            let path = sealed_address::append(&context.app, "/auth/login?notice=password-set", &email);
            Ok(context.redirect(Some(&return_to::append(&path, target.as_deref()))))
        }
    }
}

async fn page(context: &PageContext, token: &str, errors: &FormErrors) -> Result<Response, PageError> {
    let Some(found) = password_reset::find_reset(&context.app, &context.anonymous(), token).await? else {
        return Ok(link_outcome_page(context, StatusCode::NOT_FOUND, LinkOutcome::ResetLinkInvalid));
    };
    let (answer, error) = (whose(errors.typed().get("account")), errors.of("account"));
    let view = ResetPasswordPage {
        layout: &context.shell(context.layout(), errors.form())?,
        token,
        email: &found.email,
        min_password_length: context.app.settings.accounts.password_min_length,
        question: found.question.as_ref().map(|account| AccountQuestion { account, answer, error }),
        password_error: errors.of("password"),
    };
    Ok(views::page(errors.status(), &view))
}
