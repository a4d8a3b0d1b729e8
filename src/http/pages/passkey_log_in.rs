//! `/auth/login/passkey`: a passkey's answer to the question on the log-in page.

use super::after_login::{disabled_page, logged_in};
use super::login::{form_page, prove_first};
use super::submission::Stop;
use super::visit::Visit;
use crate::domain::login::passkey::{self, PasskeyLogInError};
use crate::domain::mfa::passkey::add::Answer;
use crate::http::error::{self, Fault};
use crate::http::form;
use crate::http::views::STALE_FORM;
use crate::messages::Message;
use crate::rate_limit::RateLimit;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;

/// Logs in.
pub async fn submit(visit: Visit, body: Body) -> Result<Response, Stop> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) => return Ok(error::unreadable(error)),
    };
    if !visit.is_meant(&fields) {
        return Ok(form_page(visit, &fields, StatusCode::FORBIDDEN, Some(&STALE_FORM))?);
    }
    visit.take(RateLimit::PasskeyFrom(visit.address)).await?;
    let answer = Answer {
        credential: fields.text("credential"),
        state: fields.text("state"),
        browser: fields.csrf().unwrap_or_default(),
    };
    let why = match passkey::log_in(&visit.app, &answer, &visit.arrival().await?).await {
        Ok(opened) => return Ok(logged_in(visit, &fields, &opened)?),
        Err(PasskeyLogInError::Unproved(user)) => return Ok(prove_first(visit, &fields, user).await?),
        Err(PasskeyLogInError::Disabled) => return Ok(disabled_page(visit, &fields)),
        Err(PasskeyLogInError::Failed(error)) => return Err(Fault::new(error, visit.id).into()),
        Err(PasskeyLogInError::Void) => Message::new("passkey-void"),
        Err(PasskeyLogInError::Refused) => Message::new("passkey-log-in-refused"),
    };
    Ok(form_page(visit, &fields, StatusCode::UNAUTHORIZED, Some(&why))?)
}
