//! `/auth/account/password`: changes the password.

use super::account_security;
use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission};
use crate::domain::account::change_password::{ChangePasswordError, NewPassword, change_password};
use crate::http::error::InternalError;
use crate::http::form::Fields;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, PasswordPage, WRONG_PASSWORD, account_sections};
use crate::messages::Message;
use crate::rate_limit::ChangeKind;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;

const PATH: &str = "/auth/account/password";

/// Shows the form. An account without a password requires recent authentication.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let LoggedIn { context, live } = context.require_login(PATH).await?;
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(PATH));
    }
    page(context, &live, StatusCode::OK, &FormErrors::default()).await
}

/// Changes the password.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, PATH).await?;
    let end_others = fields.get("end_others").is_some();
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), keep_others: !end_others, ..FormErrors::default() };
        return page(context, &live, StatusCode::FORBIDDEN, &errors).await;
    }
    if context.needs_reauthentication(&live).await? {
        return Ok(context.redirect_to_reauthentication(PATH));
    }
    context.check_change_limit(&live, ChangeKind::Factors).await?;
    context.begin_password_attempt(&live).await?;
    let is_reauthenticated = context.recently_authenticated(&live);
    let (user, input, device) = (live.view.user_id, new_password(&fields), context.device());
    match change_password(&context.app, user, live.id, input, is_reauthenticated, &device).await {
        Ok(()) => {
            context.password_attempt_succeeded(live.view.user_id).await;
            Ok(context.redirect(Some(&format!("{}?done=password", account_security::PATH))))
        }
        Err(ChangePasswordError::Failed(error)) => Err(InternalError::new(error, context.id).into()),
        Err(ChangePasswordError::WrongCurrent) => {
            let errors =
                FormErrors { current: Some(&WRONG_PASSWORD), keep_others: !end_others, ..FormErrors::default() };
            page(context, &live, StatusCode::UNPROCESSABLE_ENTITY, &errors).await
        }
        Err(ChangePasswordError::NotAccepted(message)) => {
            let errors = FormErrors { new: Some(&message), keep_others: !end_others, ..FormErrors::default() };
            page(context, &live, StatusCode::UNPROCESSABLE_ENTITY, &errors).await
        }
    }
}

fn new_password(fields: &Fields) -> NewPassword {
    NewPassword {
        current: SecretString::from(fields.text("current")),
        new: SecretString::from(fields.text("password")),
        end_others: fields.get("end_others").is_some(),
    }
}

/// Errors to show on the form.
#[derive(Default)]
struct FormErrors<'a> {
    current: Option<&'a Message>,
    new: Option<&'a Message>,
    form: Option<&'a Message>,
    keep_others: bool,
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    status: StatusCode,
    errors: &FormErrors<'_>,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let view = PasswordPage {
        layout: context.layout_for(live, &csrf),
        csrf: &csrf,
        sections: &account_sections(account_security::PATH),
        username: &live.view.username,
        has_password: context.has_password(live).await?,
        current_error: errors.current,
        new_error: errors.new,
        min_password_length: context.app.settings.accounts.password_min_length,
        end_others: !errors.keep_others,
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
