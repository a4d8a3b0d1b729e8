//! Shared by the pages: required login, submitted forms and early responses.

use super::page_context::PageContext;
use crate::domain::login::prompt::{PasswordPrompt, PromptedPassword, is_password};
use crate::domain::organization::refusal::{OrganizationError, Refusal};
use crate::domain::session::lifecycle::{self, Subject};
use crate::http::error::{self, InternalError};
use crate::http::form::Fields;
use crate::http::page_error::PageError;
use crate::http::request_id::RequestId;
use crate::http::session::LiveSession;
use crate::http::views::Problem;
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::SecretString;
use uuid::Uuid;

/// The former name of [`PageError`].
pub type EarlyResponse = PageError;

/// A request of a logged-in user.
pub struct LoggedIn {
    /// The context of the request.
    pub context: PageContext,
    /// The session.
    pub live: LiveSession,
}

/// A form submitted by a logged-in user.
pub struct Submission {
    /// The context of the request.
    pub context: PageContext,
    /// The session.
    pub live: LiveSession,
    /// The submitted fields.
    pub fields: Fields,
    /// Whether the form passed the CSRF check; if not, nothing may change.
    pub csrf_valid: bool,
}

impl PageContext {
    /// Requires a session; without one, redirects to the login page, which returns to `path`.
    pub async fn require_login(mut self, path: &str) -> Result<LoggedIn, EarlyResponse> {
        match self.session().await? {
            Some(live) => Ok(LoggedIn { context: self, live }),
            None => Err(self.redirect_to_login(path).into()),
        }
    }

    /// Redirects to the login page, which returns to `path`.
    pub fn redirect_to_login(self, path: &str) -> Response {
        self.redirect_to_login_with(Some(path))
    }

    /// Redirects to the login page, keeping `return_to` if there is one.
    pub fn redirect_to_login_with(self, return_to: Option<&str>) -> Response {
        let query = return_to.map(|path| format!("?return_to={}", utf8_percent_encode(path, NON_ALPHANUMERIC)));
        self.redirect(Some(&format!("/auth/login{}", query.unwrap_or_default())))
    }

    /// Reads a form; the flag says whether it passed the CSRF check.
    pub async fn form(&self, body: Body) -> Result<(Fields, bool), EarlyResponse> {
        match self.fields(body).await {
            Ok(fields) => {
                let csrf_valid = self.is_csrf_valid(&fields);
                Ok((fields, csrf_valid))
            }
            Err(error) => Err(error::bad_form(error).into()),
        }
    }

    /// Reads a form and requires a session; without one, redirects to the login page, which returns to `path`.
    pub async fn submission(self, body: Body, path: &str) -> Result<Submission, EarlyResponse> {
        let (fields, csrf_valid) = self.form(body).await?;
        let LoggedIn { context, live } = self.require_login(path).await?;
        Ok(Submission { context, live, fields, csrf_valid })
    }

    /// Whether the field `password` is the account's password. Attempts are rate limited like those at login, because
    /// this form could be used to guess the password as well.
    async fn is_password_correct(
        &self,
        live: &LiveSession,
        fields: &Fields,
        prompt: PasswordPrompt,
    ) -> Result<bool, EarlyResponse> {
        self.begin_password_attempt(live).await?;
        let password = SecretString::from(fields.text("password"));
        let typed = PromptedPassword { prompt, password, session: Some(live.id), device: &self.device() };
        let is_correct = is_password(&self.app, live.view.user_id, typed).await;
        let is_correct = is_correct.map_err(|error| InternalError::new(error, self.id))?;
        if is_correct {
            self.password_attempt_succeeded(live.view.user_id).await;
        }
        Ok(is_correct)
    }

    /// Whether the user reauthenticated for an irreversible action: by the field `password`, or, for an account without
    /// a password, by a recent login or passkey.
    pub async fn is_reauthenticated(
        &self,
        live: &LiveSession,
        fields: &Fields,
        prompt: PasswordPrompt,
    ) -> Result<bool, EarlyResponse> {
        if self.has_password(live).await? {
            return self.is_password_correct(live, fields, prompt).await;
        }
        Ok(self.recently_authenticated(live))
    }

    /// Sets an access token with the session's current claims, for the audience of the presented token if permitted.
    pub fn reissue_access_token(&mut self, live: &LiveSession, subject: &Subject) -> Result<(), InternalError> {
        let settings = &self.app.settings.sessions;
        let current = live.token.as_ref().and_then(|token| settings.audiences.get(token.audience));
        let audience = current.filter(|audience| settings.permits_audience(audience, subject.roles));
        let audience = audience.map_or_else(|| settings.default_audience(), String::as_str);
        let token = lifecycle::access_token(&self.app, subject, audience, self.app.clock.now());
        let token = token.map_err(|error| InternalError::new(error, self.id))?;
        self.set_access_cookie(&token);
        Ok(())
    }
}

/// Parses an id of the path; anything else is a 404.
pub fn parse_id(text: &str) -> Result<Uuid, EarlyResponse> {
    Uuid::try_parse(text).map_err(|_| not_found())
}

/// The 404 page.
pub fn not_found() -> EarlyResponse {
    error::problem(Problem::NotFound).into()
}

/// Returns the status and message of a refused operation; 404 and internal errors become early responses.
pub fn status_and_message(
    error: OrganizationError,
    request_id: RequestId,
) -> Result<(StatusCode, Message), EarlyResponse> {
    match error {
        OrganizationError::NotFound(_) => Err(not_found()),
        OrganizationError::Failed(error) => Err(InternalError::new(error, request_id).into()),
        OrganizationError::TooSoon(retry_after) => Err(error::problem(Problem::TooManyRequests { retry_after }).into()),
        OrganizationError::Refused(
            refusal @ (Refusal::NotPermitted | Refusal::AboveOwnRole | Refusal::Personal | Refusal::Unverified),
        ) => Ok((StatusCode::FORBIDDEN, refusal.message())),
        OrganizationError::Refused(refusal) => Ok((StatusCode::UNPROCESSABLE_ENTITY, refusal.message())),
        OrganizationError::Field(message) => Ok((StatusCode::UNPROCESSABLE_ENTITY, message)),
    }
}
