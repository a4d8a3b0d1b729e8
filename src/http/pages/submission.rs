//! What the pages of people who are logged in have in common: who asks, and a form that was meant.

use super::visit::Visit;
use crate::domain::login::password;
use crate::domain::organization::refusal::{OrganizationError, Refusal};
use crate::domain::session::lifecycle::{self, Subject};
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::request_id::RequestId;
use crate::http::session::Live;
use crate::http::views::Problem;
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::SecretString;
use uuid::Uuid;

/// A handler ends before its own answer.
pub enum Stop {
    /// With another answer.
    Answer(Box<Response>),
    /// With a fault of ours.
    Fault(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        Stop::Fault(fault)
    }
}

impl From<Response> for Stop {
    fn from(response: Response) -> Self {
        Stop::Answer(Box::new(response))
    }
}

impl IntoResponse for Stop {
    fn into_response(self) -> Response {
        match self {
            Stop::Answer(response) => *response,
            Stop::Fault(fault) => fault.into_response(),
        }
    }
}

/// A visit of somebody who is logged in.
pub struct Member {
    /// The visit.
    pub visit: Visit,
    /// The session.
    pub live: Live,
}

/// A form sent by somebody who is logged in.
pub struct Submission {
    /// The visit.
    pub visit: Visit,
    /// The session.
    pub live: Live,
    /// What was sent.
    pub fields: Fields,
    /// Whether the user meant it; if not, nothing may change.
    pub meant: bool,
}

impl Visit {
    /// Somebody who is logged in; others are sent to log in and come back to `path`.
    pub async fn member(mut self, path: &str) -> Result<Member, Stop> {
        match self.session().await? {
            Some(live) => Ok(Member { visit: self, live }),
            None => Err(self.log_in_first(path).into()),
        }
    }

    /// The log-in page, from where the way leads back to `path`.
    pub fn log_in_first(self, path: &str) -> Response {
        self.log_in_again(Some(path))
    }

    /// The log-in page, from where the way leads on to where it was leading, if anywhere.
    pub fn log_in_again(self, return_to: Option<&str>) -> Response {
        let query = return_to.map(|path| format!("?return_to={}", utf8_percent_encode(path, NON_ALPHANUMERIC)));
        self.redirect(Some(&format!("/auth/login{}", query.unwrap_or_default())))
    }

    /// A form, and whether whoever sent it meant it.
    pub async fn form(&self, body: Body) -> Result<(Fields, bool), Stop> {
        match form::read(&self.headers, body).await {
            Ok(fields) => {
                let meant = self.is_meant(&fields);
                Ok((fields, meant))
            }
            Err(error) => Err(error::unreadable(error).into()),
        }
    }

    /// A form of somebody who is logged in; others are sent to log in and come back to `path`.
    pub async fn submission(self, body: Body, path: &str) -> Result<Submission, Stop> {
        let (fields, meant) = self.form(body).await?;
        let Member { visit, live } = self.member(path).await?;
        Ok(Submission { visit, live, fields, meant })
    }

    /// Whether the form's field `password` is the account's password. One that is asked for can be guessed, so tries are
    /// limited as those of the log-in are.
    async fn password_is_right(&self, live: &Live, fields: &Fields) -> Result<bool, Stop> {
        self.begin_try(live).await?;
        let password = SecretString::from(fields.text("password"));
        let right = password::is_password(&self.app, live.view.user_id, password).await;
        let right = right.map_err(|error| Fault::new(error, self.id))?;
        if right {
            self.try_succeeded(live.view.user_id).await;
        }
        Ok(right)
    }

    /// Whether who asks for what cannot be undone is shown to be the user: by the field `password`, or, where there is no
    /// password, by a passkey shown lately.
    pub async fn is_proved(&self, live: &Live, fields: &Fields) -> Result<bool, Stop> {
        if self.has_password(live).await? {
            return self.password_is_right(live, fields).await;
        }
        Ok(self.recently_authenticated(live))
    }

    /// Has the answer set an access token that says what the session is now; of the audience that the browser had.
    pub fn set_access_for(&mut self, live: &Live, subject: &Subject) -> Result<(), Fault> {
        let settings = &self.app.settings.sessions;
        let present = live.token.as_ref().and_then(|token| settings.audiences.get(token.audience));
        let audience = present.filter(|audience| settings.permits(audience, subject.roles));
        let audience = audience.map_or_else(|| settings.first_audience(), String::as_str);
        let token = lifecycle::access_token(&self.app, subject, audience, self.app.clock.now());
        let token = token.map_err(|error| Fault::new(error, self.id))?;
        self.set_access(&token);
        Ok(())
    }
}

/// Reads an id from a path.
pub fn id(text: &str) -> Result<Uuid, Stop> {
    Uuid::try_parse(text).map_err(|_| not_found())
}

/// The page that says that there is no such page.
pub fn not_found() -> Stop {
    error::problem(Problem::NotFound).into()
}

/// Status and words for what was refused; what is not there, or our fault, has a page of its own.
pub fn refusal(error: OrganizationError, request: RequestId) -> Result<(StatusCode, Message), Stop> {
    match error {
        OrganizationError::NotFound(_) => Err(not_found()),
        OrganizationError::Failed(error) => Err(Fault::new(error, request).into()),
        OrganizationError::Refused(refusal @ (Refusal::NotPermitted | Refusal::AboveOwnRole | Refusal::Personal)) => {
            Ok((StatusCode::FORBIDDEN, refusal.message()))
        }
        OrganizationError::Refused(refusal) => Ok((StatusCode::UNPROCESSABLE_ENTITY, refusal.message())),
        OrganizationError::Field(message) => Ok((StatusCode::UNPROCESSABLE_ENTITY, message)),
    }
}
