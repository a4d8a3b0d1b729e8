//! `/auth/login/passkey`: a passkey's answer to the question on the log-in page.

use super::login::{disabled_page, form_page, logged_in, prove_first};
use super::visit::Visit;
use crate::domain::passkeys::{self, Answer, PasskeyLogInError};
use crate::http::error::{self, Fault};
use crate::http::form;
use crate::http::views::{Problem, STALE_FORM};
use crate::limits::Limited;
use crate::messages::Message;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

/// Logs in.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Fault> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::unreadable(error)),
    };
    if !visit.is_meant(&fields) {
        return form_page(visit, &fields, StatusCode::FORBIDDEN, Some(&STALE_FORM));
    }
    let limit = Limited::LogInFrom(visit.address);
    if let Err(retry_after) = visit.app.limits.take(limit, visit.app.clock.now()) {
        return Ok(error::problem(Problem::TooManyRequests { retry_after }));
    }
    let answer = Answer {
        credential: fields.text("credential"),
        state: fields.text("state"),
        browser: fields.csrf().unwrap_or_default(),
    };
    let why = match passkeys::log_in(&visit.app, &answer, &visit.arrival().await?).await {
        Ok(opened) => return logged_in(visit, &fields, &opened),
        Err(PasskeyLogInError::Unproved(user)) => return prove_first(visit, &fields, user).await,
        Err(PasskeyLogInError::Disabled) => return Ok(disabled_page(visit, &fields)),
        Err(PasskeyLogInError::Failed(error)) => return Err(Fault::new(error, visit.id)),
        Err(PasskeyLogInError::Void) => Message::new("passkey-void"),
        Err(PasskeyLogInError::Refused) => Message::new("passkey-log-in-refused"),
    };
    form_page(visit, &fields, StatusCode::UNAUTHORIZED, Some(&why))
}
