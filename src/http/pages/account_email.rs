//! `/auth/account/email`: changes the email address (docs/protocol.md 10.6).

use super::email_verify::{code_error_message, resend_response, verify_error_response};
use super::page_context::PageContext;
use super::paths;
use super::submission::{EarlyResponse, LoggedIn, Submission};
use crate::domain::verification::email_change::{self, ChangeEmailError};
use crate::domain::verification::request::{self, ResendError};
use crate::domain::verification::token_check::MailedSecret;
use crate::http::error::{self, InternalError};
use crate::http::form::Fields;
use crate::http::session::LiveSession;
use crate::http::views::{
    self, AccountEmailPage, CSRF_FAILED, CurrentAddress, Field, PendingEmail, Problem, account_sections,
};
use crate::messages::{Key, Message};
use crate::model::placeholder_email::is_placeholder;
use crate::rate_limit::{ChangeKind, RateLimit};
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

const PATH: &str = paths::ACCOUNT_EMAIL;

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors<'a> {
    new: Field<'a>,
    code: Option<&'a Message>,
    form: Option<&'a Message>,
}

/// Shows the address and a pending change.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_reauthentication(PATH).await?;
    page(context, &live, StatusCode::OK, FormErrors::default()).await
}

/// Starts a change.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.reauthenticated_submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live).await;
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    context.check_rate_limit(RateLimit::MailFrom(context.address)).await?;
    let address = fields.text("email");
    match email_change::begin_email_change(&context.app, live.view.user_id, address, context.language.locale).await {
        Ok(()) => Ok(context.redirect(Some(PATH))),
        Err(ChangeEmailError::Field(message)) => {
            let errors = FormErrors { new: Field { value: address, error: Some(&message) }, ..FormErrors::default() };
            page(context, &live, StatusCode::UNPROCESSABLE_ENTITY, errors).await
        }
        Err(ChangeEmailError::TooSoon(retry_after)) => Ok(error::problem(Problem::TooManyRequests { retry_after })),
        Err(ChangeEmailError::NoSuchUser) => Ok(context.redirect_to_login(PATH)),
        Err(ChangeEmailError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
    }
}

/// Verifies the new address with the code.
pub async fn confirm(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live).await;
    }
    let user = live.view.user_id;
    let pending = email_change::pending_email_change(&context.app, user)
        .await
        .map_err(|error| InternalError::new(error, context.id))?;
    let Some(pending) = pending else { return Ok(context.redirect(Some(PATH))) };
    let secret = MailedSecret::Code { id: pending.id, typed: fields.text("code"), from: context.address };
    let actor = context.actor(&live);
    match email_change::confirm_email_change(&context.app, secret, user, &actor).await {
        Ok(()) => Ok(context.redirect(Some(&format!("{PATH}?notice=changed")))),
        Err(error) => match code_error_message(&error) {
            Some(problem) => {
                let errors = FormErrors { code: Some(&problem), ..FormErrors::default() };
                page(context, &live, StatusCode::UNPROCESSABLE_ENTITY, errors).await
            }
            None => verify_error_response(context, error),
        },
    }
}

/// Sends a new code and a new link to the new address.
pub async fn resend(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, csrf_valid, .. } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live).await;
    }
    let pending = email_change::pending_email_change(&context.app, live.view.user_id).await;
    let result = match pending.map_err(|error| InternalError::new(error, context.id))? {
        Some(row) => request::resend(&context.app, row.id, context.language.locale).await,
        None => Err(ResendError::NothingPending),
    };
    resend_response(context, result, PATH)
}

/// Cancels the pending change.
pub async fn cancel(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, csrf_valid, .. } = context.submission(body, PATH).await?;
    if !csrf_valid {
        return csrf_error_page(context, &live).await;
    }
    let result = email_change::cancel_email_change(&context.app, live.view.user_id).await;
    result.map_err(|error| InternalError::new(error, context.id))?;
    Ok(context.redirect(Some(PATH)))
}

async fn csrf_error_page(context: PageContext, live: &LiveSession) -> Result<Response, EarlyResponse> {
    page(context, live, StatusCode::FORBIDDEN, FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() }).await
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    errors: FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let user = live.view.user_id;
    let internal_error = |error| InternalError::new(error, context.id);
    let verified = request::unverified(&context.app, user).await.map_err(internal_error)?.is_none();
    let pending = email_change::pending_email_change(&context.app, user).await.map_err(internal_error)?;
    let csrf = context.csrf()?;
    let return_to = context.return_to(&Fields::default());
    let address = match verified {
        _ if is_placeholder(&live.view.email) => CurrentAddress::Missing {
            continue_to: return_to.as_deref().unwrap_or(&context.app.settings.server.default_return_to),
        },
        true => CurrentAddress::Verified(&live.view.email),
        false => CurrentAddress::Unverified(&live.view.email),
    };
    let view = AccountEmailPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections("/auth/account"),
        address,
        pending: pending.as_ref().map(|row| PendingEmail {
            email: &row.email,
            expires_at: row.expires_at,
            code_error: errors.code,
        }),
        new_email: errors.new,
        form_error: errors.form,
        notice: context.query.get("notice").and_then(notice),
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}

fn notice(name: &str) -> Option<Key> {
    match name {
        "changed" => Some(Key("account-email-changed")),
        "sent" => Some(Key("verify-sent-again")),
        _ => None,
    }
}
