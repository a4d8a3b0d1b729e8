//! `/auth/account/confirm`: reauthentication (step-up) before security settings change (OWASP ASVS 5.0, 7.5.1).

use super::page_context::PageContext;
use super::submission::{EarlyResponse, LoggedIn, Submission};
use crate::domain::account::reauthentication::{self, Reauthentication, ReauthenticationError};
use crate::domain::mfa::passkey::add::PasskeyResponse;
use crate::domain::mfa::passkey::reauthentication::reauthentication_challenge;
use crate::http::error::InternalError;
use crate::http::form::Fields;
use crate::http::session::LiveSession;
use crate::http::views::{self, CSRF_FAILED, ConfirmPage, WRONG_PASSWORD};
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::SecretString;

const PATH: &str = "/auth/account/confirm";
const ACCOUNT: &str = "/auth/account";

impl PageContext {
    /// Requires a recently authenticated session; otherwise redirects to log in or reauthenticate, and back to `path`.
    pub async fn require_reauthentication(self, path: &str) -> Result<LoggedIn, EarlyResponse> {
        let LoggedIn { context, live } = self.require_login(path).await?;
        if context.recently_authenticated(&live) {
            return Ok(LoggedIn { context, live });
        }
        Err(context.redirect_to_reauthentication(path).into())
    }

    /// Reads a form of a recently authenticated session; otherwise discards it and redirects to log in or
    /// reauthenticate, and back to `path`.
    pub async fn reauthenticated_submission(self, body: Body, path: &str) -> Result<Submission, EarlyResponse> {
        let submission = self.submission(body, path).await?;
        if submission.context.recently_authenticated(&submission.live) {
            return Ok(submission);
        }
        Err(submission.context.redirect_to_reauthentication(path).into())
    }

    /// Whether a form that asks for the password requires reauthentication first: the account has no password, and the
    /// session is not recently authenticated.
    pub async fn needs_reauthentication(&self, live: &LiveSession) -> Result<bool, InternalError> {
        Ok(!self.recently_authenticated(live) && !self.has_password(live).await?)
    }

    /// Whether the account has a password.
    pub async fn has_password(&self, live: &LiveSession) -> Result<bool, InternalError> {
        let found = async { self.app.store.read().await?.user_find(live.view.user_id).await };
        let user = found.await.map_err(|error| InternalError::new(error, self.id))?;
        Ok(user.is_some_and(|user| user.password_hash.is_some()))
    }

    /// Redirects to the reauthentication page, which returns to `path`.
    pub fn redirect_to_reauthentication(self, path: &str) -> Response {
        let target = format!("{PATH}?return_to={}", utf8_percent_encode(path, NON_ALPHANUMERIC));
        self.redirect(Some(&target))
    }
}

/// Shows the form.
pub async fn show(context: PageContext) -> Result<Response, EarlyResponse> {
    let fields = Fields::default();
    // A login counts as reauthentication: return straight to the target.
    let target = context.return_to(&fields).unwrap_or_else(|| ACCOUNT.to_owned());
    let LoggedIn { context, live } = context.require_login(&target).await?;
    if context.recently_authenticated(&live) {
        return Ok(redirect_back(context, &fields));
    }
    page(context, &live, &fields, StatusCode::OK, FormErrors::default()).await
}

/// Checks a password.
pub async fn submit(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, ACCOUNT).await?;
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return page(context, &live, &fields, StatusCode::FORBIDDEN, errors).await;
    }
    context.begin_password_attempt(&live).await?;
    let credential = Reauthentication::Password(SecretString::from(fields.text("password")));
    let outcome =
        reauthentication::confirm(&context.app, live.view.user_id, live.id, credential, &context.device()).await;
    if outcome.is_ok() {
        context.password_attempt_succeeded(live.view.user_id).await;
    }
    reauthentication_response(
        context,
        &live,
        &fields,
        outcome,
        FormErrors { password: Some(&WRONG_PASSWORD), ..FormErrors::default() },
    )
    .await
}

/// Checks a passkey.
pub async fn submit_passkey(context: PageContext, body: Body) -> Result<Response, EarlyResponse> {
    let Submission { context, live, fields, csrf_valid } = context.submission(body, ACCOUNT).await?;
    if !csrf_valid {
        let errors = FormErrors { form: Some(&CSRF_FAILED), ..FormErrors::default() };
        return page(context, &live, &fields, StatusCode::FORBIDDEN, errors).await;
    }
    context.check_rate_limit(RateLimit::PasskeyFrom(context.address)).await?;
    let credential = Reauthentication::Passkey(PasskeyResponse {
        credential: fields.text("credential"),
        state: fields.text("state"),
        csrf_token: fields.csrf().unwrap_or_default(),
    });
    let outcome =
        reauthentication::confirm(&context.app, live.view.user_id, live.id, credential, &context.device()).await;
    reauthentication_response(
        context,
        &live,
        &fields,
        outcome,
        FormErrors { form: Some(&WRONG_PASSKEY), ..FormErrors::default() },
    )
    .await
}

async fn reauthentication_response(
    context: PageContext,
    live: &LiveSession,
    fields: &Fields,
    outcome: Result<(), ReauthenticationError>,
    errors: FormErrors,
) -> Result<Response, EarlyResponse> {
    let errors = match outcome {
        Ok(()) => return Ok(redirect_back(context, fields)),
        Err(ReauthenticationError::SessionEnded) => return Ok(context.redirect_to_login(ACCOUNT)),
        Err(ReauthenticationError::Failed(error)) => return Err(InternalError::new(error, context.id).into()),
        Err(ReauthenticationError::Wrong) => errors,
        Err(ReauthenticationError::Void) => FormErrors { form: Some(&CHALLENGE_VOID), ..FormErrors::default() },
    };
    page(context, live, fields, StatusCode::UNPROCESSABLE_ENTITY, errors).await
}

static WRONG_PASSKEY: Message = Message::new("confirm-passkey-wrong");
static CHALLENGE_VOID: Message = Message::new("passkey-void");

fn redirect_back(context: PageContext, fields: &Fields) -> Response {
    let target = context.return_to(fields);
    context.redirect(Some(target.as_deref().unwrap_or(ACCOUNT)))
}

#[derive(Clone, Copy, Default)]
struct FormErrors {
    password: Option<&'static Message>,
    form: Option<&'static Message>,
}

async fn page(
    mut context: PageContext,
    live: &LiveSession,
    fields: &Fields,
    status: StatusCode,
    errors: FormErrors,
) -> Result<Response, EarlyResponse> {
    let csrf = context.csrf()?;
    let return_to = context.return_to(fields);
    let passkey = reauthentication_challenge(&context.app, live.view.user_id, &csrf).await;
    let passkey = passkey.map_err(|error| InternalError::new(error, context.id))?;
    let view = ConfirmPage {
        layout: context.layout(),
        csrf: &csrf,
        return_to: return_to.as_deref(),
        username: &live.view.username,
        has_password: context.has_password(live).await?,
        passkey: passkey.as_ref(),
        password_error: errors.password,
        form_error: errors.form,
    };
    let page = views::page(status, &view);
    Ok(context.respond(page))
}
