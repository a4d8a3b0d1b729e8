//! The answers to the pages after a return from a provider: `/auth/login/with/{name}/connect`, `…/address` and `…/whose`
//! (docs/reference/browser.md 8.5). What they are about is sealed in the row of the login, which its state and the
//! browser's secret name.

use super::account_confirm::own_code_refusal;
use super::page_context::PageContext;
use super::provider_asked::{AskedLogin, ask_again, claim_page, connect_page, details_page, find_pending, void};
use super::provider_outcome::respond;
use super::provider_start::find;
use super::whose_account::AnswerFields;
use super::{email_verify, provider_refused};
use crate::domain::change;
use crate::domain::mailed_token::token_check::VerifyError;
use crate::domain::ownership::identities::ConnectIdentityError;
use crate::domain::provider_login::callback::CallbackResult;
use crate::domain::provider_login::claim_account::Answered;
use crate::domain::provider_login::connect::{Connect, ConnectError};
use crate::domain::provider_login::mailed_code;
use crate::domain::provider_login::outcome::CallbackOutcome;
use crate::domain::provider_login::proceed;
use crate::domain::provider_login::sign_up::TypedDetails;
use crate::http::form::{FormErrors, FormFields, Submitted, Typed};
use crate::http::page_error::PageError;
use crate::http::return_to;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::extract::Path;
use axum::response::Response;
use serde::Deserialize;

/// The fields of the offer to connect.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ConnectFields {
    state: String,
    /// Asks for a code by mail.
    send: Option<String>,
    code: Option<String>,
}

impl FormFields for ConnectFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["state"];
}

/// The fields of the question whose an account is.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct ClaimFields {
    state: String,
    #[serde(flatten)]
    answer: AnswerFields,
}

impl FormFields for ClaimFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["state"];
}

/// The fields of what is asked for before an account is made.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct DetailsFields {
    state: String,
    email: String,
    username: String,
}

impl FormFields for DetailsFields {
    const SHOWN_AGAIN: &'static [&'static str] = &["state", "email", "username"];
}

/// Shows what is asked, whichever of the pages was asked for.
pub async fn show(context: PageContext, Path(name): Path<String>) -> Result<Response, PageError> {
    let provider = find(&context, &name).await?;
    let state = context.query.text("state").to_owned();
    ask_again(&context, &provider, &state).await
}

/// Connects the account at the provider with the one that the person has logged in to.
pub async fn connect(
    context: PageContext,
    Path(name): Path<String>,
    submitted: Submitted<ConnectFields>,
) -> Result<Response, PageError> {
    let asked = asked_login(&context, &name, submitted.typed()).await?;
    let Some(live) = context.session().await? else { return log_in_by_mail(&context, &asked, submitted).await };
    let form = match submitted.verified(&live) {
        Ok(form) => form,
        Err(errors) => return connect_page(&context, &asked, Some(&live), &errors).await,
    };
    context.require_recent_proof(&live, &asked.link())?;
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    let Some(change) = Connect::offered(&asked.pending) else { return void(&context).await };
    match change::run(&context.app, &context.principal(&live), change).await {
        Ok(()) => {
            let target = asked.pending.return_to.as_deref().and_then(|target| context.recheck_return_to(target));
            // An account that exists accepts an invitation on its page.
            let invited = asked.pending.invitation().map(|token| format!("/auth/invitations/{token}"));
            let invited = invited.map(|path| return_to::append(&path, target.as_deref()));
            Ok(context.redirect(invited.or(target).as_deref()))
        }
        Err(ConnectError::Void | ConnectError::Refused(ConnectIdentityError::NoProvider)) => void(&context).await,
        Err(ConnectError::FactorMissing) => Ok(context.redirect_to_factor(&asked.link())),
        Err(ConnectError::OtherAccount) => connect_page(&context, &asked, Some(&live), &form.again()).await,
        Err(ConnectError::Refused(ConnectIdentityError::Taken)) => {
            Ok(provider_refused::identity_taken(&context, &asked.provider))
        }
        Err(ConnectError::Refused(ConnectIdentityError::TooMany)) => {
            Ok(provider_refused::too_many_identities(&context))
        }
        Err(ConnectError::Refused(ConnectIdentityError::Failed(error))) => Err(error.into()),
    }
}

/// Logs in to the account with the address by a mailed code, where it has nothing else to log in with.
async fn log_in_by_mail(
    context: &PageContext,
    asked: &AskedLogin,
    submitted: Submitted<ConnectFields>,
) -> Result<Response, PageError> {
    let form = match submitted.verified(asked.shown_to()) {
        Ok(form) => form,
        Err(errors) => return connect_page(context, asked, None, &errors).await,
    };
    let (app, anonymous) = (&context.app, context.anonymous());
    if form.send.is_some() {
        let sent = mailed_code::send(app, &anonymous, &asked.pending, context.language.locale).await;
        return email_verify::resend_response(context, sent, &asked.link());
    }
    let typed = form.code.as_deref().unwrap_or_default();
    let client = context.client().await?;
    match mailed_code::log_in(app, &asked.pending, typed, &client, context.address).await {
        Ok(outcome) => {
            let result = CallbackResult { outcome, return_to: Some(asked.link()), invitation: None };
            respond(context, &asked.provider, &asked.state, result).await
        }
        Err(VerifyError::Failed(error)) => Err(error.into()),
        Err(error) => {
            let errors = match own_code_refusal("code", &error) {
                Some(refusal) => form.again().refused(refusal.into())?,
                None => form.again(),
            };
            connect_page(context, asked, None, &errors).await
        }
    }
}

/// Goes on with the answer whose an account is.
pub async fn answer(
    context: PageContext,
    Path(name): Path<String>,
    submitted: Submitted<ClaimFields>,
) -> Result<Response, PageError> {
    let asked = asked_login(&context, &name, submitted.typed()).await?;
    let form = match submitted.verified(asked.shown_to()) {
        Ok(form) => form,
        Err(errors) => return claim_page(&context, &asked, &AnswerFields::default(), &errors).await,
    };
    context.check_rate_limit(RateLimit::SignupFrom(context.address)).await?;
    let (answer, client) = (form.answer.answer(), context.client().await?);
    let (provider, pending) = (&asked.provider, &asked.pending);
    match proceed::with_answer(&context.app, provider, pending, answer, &client, context.address).await? {
        Answered::Done(outcome) => go_on(&context, &asked, outcome).await,
        Answered::AskAgain => claim_page(&context, &asked, &form.answer, &FormErrors::default()).await,
        Answered::Void => void(&context).await,
    }
}

/// Goes on with an address or a username.
pub async fn submit_details(
    context: PageContext,
    Path(name): Path<String>,
    submitted: Submitted<DetailsFields>,
) -> Result<Response, PageError> {
    let asked = asked_login(&context, &name, submitted.typed()).await?;
    let form = match submitted.verified(asked.shown_to()) {
        Ok(form) => form,
        Err(errors) => return details_page(&context, &asked, &errors),
    };
    let typed = TypedDetails { email: &form.email, username: &form.username };
    let client = context.client().await?;
    let outcome =
        proceed::with_details(&context.app, &asked.provider, &asked.pending, typed, &client, context.address).await?;
    match outcome {
        None => void(&context).await,
        Some(CallbackOutcome::Fields(errors)) => {
            details_page(&context, &asked, &form.again().and_fields(errors.fields()))
        }
        Some(outcome) => go_on(&context, &asked, outcome).await,
    }
}

/// The login that a form is about.
async fn asked_login(context: &PageContext, name: &str, typed: &Typed) -> Result<AskedLogin, PageError> {
    let provider = find(context, name).await?;
    find_pending(context, &provider, typed.get("state").unwrap_or_default()).await
}

async fn go_on(context: &PageContext, asked: &AskedLogin, outcome: CallbackOutcome) -> Result<Response, PageError> {
    let return_to = asked.pending.return_to.clone();
    respond(context, &asked.provider, &asked.state, CallbackResult { outcome, return_to, invitation: None }).await
}
