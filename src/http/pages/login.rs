//! `/auth/login` (docs/reference/browser.md 8.1).

use super::after_login::{disabled_page, login_response, redirect_logged_in, second_factor_response};
use super::page_context::PageContext;
use super::paths;
use super::provider_buttons::{PassedOn, buttons};
use crate::domain::login::complete::{LoginOutcome, StoppedLogin};
use crate::domain::login::passkey;
use crate::domain::login::password::{self, NamedAccount};
use crate::domain::mailed_token::request::{self, VerificationStep};
use crate::domain::mailed_token::token::IssueOptions;
use crate::http::form::{FormErrors, FormFields, FromAnywhere};
use crate::http::page_error::PageError;
use crate::http::views::{self, Layout, LoginPage};
use crate::http::{return_to, sealed_address};
use crate::messages::Key;
use crate::settings::{EmailVerification, Signup};
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct LoginFields {
    email: String,
    password: SecretString,
}

impl FormFields for LoginFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["email"];
}

/// Shows the form, or redirects a logged-in user.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    let errors = FormErrors::default();
    if let Some(live) = context.session().await? {
        let return_to = context.return_to(errors.typed());
        return redirect_logged_in(&context, &live, return_to.as_deref()).await;
    }
    form_page(&context, &errors).await
}

pub async fn submit(context: PageContext, submitted: FromAnywhere<LoginFields>) -> Result<Response, PageError> {
    let form = match submitted.verified() {
        Ok(form) => form,
        Err(errors) => return form_page(&context, &errors).await,
    };
    let account = context.begin_login_attempt(&form.email).await?;
    if let Some(response) = log_in(&context, &form.again(), account, form.password.clone()).await? {
        return Ok(response);
    }
    let errors = form.refused(LoginPage::WRONG_CREDENTIALS).with_status(StatusCode::UNAUTHORIZED);
    form_page(&context, &errors).await
}

/// The answer to a form with a name and a password; `None` if they are wrong.
pub(super) async fn log_in(
    context: &PageContext,
    again: &FormErrors,
    account: NamedAccount,
    password: SecretString,
) -> Result<Option<Response>, PageError> {
    let tried = password::log_in(&context.app, account, password, &context.client().await?).await?;
    let Some((user, outcome)) = tried else { return Ok(None) };
    if matches!(outcome, LoginOutcome::Session(_) | LoginOutcome::Unverified(_)) {
        context.password_attempt_succeeded(user).await;
    }
    outcome_response(context, again, outcome).await.map(Some)
}

/// The response after a right password or passkey.
pub(super) async fn outcome_response(
    context: &PageContext,
    again: &FormErrors,
    outcome: LoginOutcome,
) -> Result<Response, PageError> {
    match outcome {
        LoginOutcome::Session(opened) => login_response(context, again.typed(), &opened),
        LoginOutcome::SecondFactorNeeded(pending) => {
            Ok(second_factor_response(context, &pending, context.return_to(again.typed()).as_deref()))
        }
        LoginOutcome::Unverified(stopped) => require_email_verification(context, again, &stopped).await,
        LoginOutcome::Disabled => Ok(disabled_page(context, again.typed())),
    }
}

/// After a correct password: sends a verification email and redirects to the page that asks for its code, or to the one
/// that asks for an email address.
pub(super) async fn require_email_verification(
    context: &PageContext,
    again: &FormErrors,
    stopped: &StoppedLogin,
) -> Result<Response, PageError> {
    let return_to = context.return_to(again.typed());
    match begin_verification(context, stopped, return_to).await? {
        Some(response) => Ok(response),
        // Verified in the meantime.
        None => form_page(context, again).await,
    }
}

/// The same after a login with a provider.
pub(super) async fn require_verification(
    context: &PageContext,
    stopped: &StoppedLogin,
    return_to: Option<String>,
) -> Result<Response, PageError> {
    match begin_verification(context, stopped, return_to.clone()).await? {
        Some(response) => Ok(response),
        None => page_after_provider(context, &FormErrors::default(), return_to).await,
    }
}

/// `None` if neither link nor code is needed any more.
async fn begin_verification(
    context: &PageContext,
    stopped: &StoppedLogin,
    return_to: Option<String>,
) -> Result<Option<Response>, PageError> {
    let options = IssueOptions { return_to: return_to.as_deref(), locale: context.language.locale };
    Ok(match request::request_verification(&context.app, &context.anonymous(), stopped, options).await? {
        Some(VerificationStep::Verify(token_id)) => {
            context.set_pending_verification(token_id);
            Some(context.redirect(Some("/auth/email/verify")))
        }
        Some(VerificationStep::EnterAddress(pending)) => {
            context.set_pending_login(&pending);
            let path = return_to::append(paths::LOGIN_ADDRESS, return_to.as_deref());
            Some(context.redirect(Some(&path)))
        }
        None => None,
    })
}

/// The notice named by `?notice=`.
fn notice(context: &PageContext) -> Option<Key> {
    match context.query.get("notice")? {
        "confirmed" => Some(Key("log-in-confirmed")),
        "password-set" => Some(Key("log-in-password-set")),
        _ => None,
    }
}

/// The form with what was typed and what was wrong.
pub(super) async fn form_page(context: &PageContext, errors: &FormErrors) -> Result<Response, PageError> {
    page(context, errors, context.return_to(errors.typed()), context.layout()).await
}

/// The form after a login with a provider, of whose query nothing is shown.
pub(super) async fn page_after_provider(
    context: &PageContext,
    errors: &FormErrors,
    return_to: Option<String>,
) -> Result<Response, PageError> {
    let mut layout = context.layout();
    layout.return_path = "/auth/login";
    page(context, errors, return_to, layout).await
}

async fn page(
    context: &PageContext,
    errors: &FormErrors,
    return_to: Option<String>,
    layout: Layout<'_>,
) -> Result<Response, PageError> {
    let shell = context.shell(layout, errors.form())?;
    let about = sealed_address::read(&context.app, &context.query);
    let typed = errors.field("email").value;
    let passkey = passkey::login_challenge(&context.app, &shell.csrf)?;
    let accounts = &context.app.settings.accounts;
    let providers = buttons(context, PassedOn { return_to: return_to.as_deref(), ..PassedOn::default() }, false).await;
    let view = LoginPage {
        layout: &shell,
        return_to: return_to.as_deref(),
        login: if typed.is_empty() { about.as_deref().unwrap_or_default() } else { typed },
        notice: notice(context).filter(|_| errors.form().is_none()),
        verification_required: accounts.email_verification == EmailVerification::Required,
        passkey: passkey.as_ref(),
        has_usernames: accounts.has_usernames(),
        providers: &providers,
        last_way: context.last_used().way,
        signup_open: accounts.signup == Signup::Open,
    };
    Ok(views::page(errors.status(), &view))
}
