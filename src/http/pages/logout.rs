//! `GET /auth/logout` and `POST /auth/sessions/logout` (docs/reference/browser.md 8.4).

use super::page_context::PageContext;
use crate::domain::session::lifecycle;
use crate::http::accept::accepts_html;
use crate::http::api::cors;
use crate::http::api::error::{ApiError, ErrorCode};
use crate::http::csrf::CsrfRefusal;
use crate::http::error;
use crate::http::form::{FormError, FormFields, FromAnywhere, Typed};
use crate::http::page_error::PageError;
use crate::http::views::{self, LogoutPage};
use crate::http::{return_to, session, two_people};
use crate::messages::Message;
use crate::model::ids::SessionId;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct LogoutFields {
    /// What the page of two accounts has seen, sealed.
    sessions: String,
}

impl FormFields for LogoutFields {
    const SHOWN_AGAIN: &'static [&'static str] = &[];
}

/// The page that applications link to: it has a button, and ends nothing itself, because any site can send a browser
/// here.
pub async fn show(context: PageContext) -> Result<Response, PageError> {
    page(&context, &Typed::default(), StatusCode::OK, None).await
}

/// Ends the presented sessions, and those that the form's page has seen: 303 for a form, 204 for a script.
pub async fn submit(
    context: PageContext,
    submitted: Result<FromAnywhere<LogoutFields>, FormError>,
) -> Result<Response, PageError> {
    if accepts_html(&context.headers) {
        return for_form(&context, submitted?).await;
    }
    let mut response = match submitted {
        Ok(submitted) => for_script(&context, submitted).await?,
        Err(form_error) => unreadable_form_response(form_error),
    };
    cors::allow(&context.app, &context.headers, &mut response);
    Ok(response)
}

async fn for_form(context: &PageContext, submitted: FromAnywhere<LogoutFields>) -> Result<Response, PageError> {
    match submitted.verified() {
        Ok(form) => {
            log_out(context, &form).await?;
            let return_to = context.return_to(form.typed());
            Ok(context.redirect(Some(return_to.as_deref().unwrap_or("/auth/login"))))
        }
        Err(errors) => page(context, errors.typed(), StatusCode::FORBIDDEN, errors.form()).await,
    }
}

async fn for_script(context: &PageContext, submitted: FromAnywhere<LogoutFields>) -> Result<Response, PageError> {
    if let Ok(form) = submitted.verified() {
        log_out(context, &form).await?;
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    // Gives the cookie to a client that has none.
    context.csrf()?;
    Ok(ApiError::with_message(ErrorCode::Forbidden, CsrfRefusal::EXPLANATION).into_response())
}

async fn log_out(context: &PageContext, fields: &LogoutFields) -> Result<(), PageError> {
    let presented = session::presented_sessions(&context.app, &context.headers, &context.device()).await?;
    let seen = two_people::open(&context.app, &context.headers, &fields.sessions);
    for session in presented.into_iter().chain(seen) {
        lifecycle::log_out(&context.app, session, &context.device()).await?;
    }
    context.clear_session();
    context.replace_csrf()?;
    Ok(())
}

/// With whom it would log out, if the database answers at once.
async fn page(
    context: &PageContext,
    typed: &Typed,
    status: StatusCode,
    form_error: Option<&Message>,
) -> Result<Response, PageError> {
    let return_to = context.return_to(typed);
    let viewer = session::viewer(&context.app, &context.headers).await;
    let view = LogoutPage {
        layout: &context.shell(context.layout().seen_by(viewer.as_deref()), form_error)?,
        return_to: return_to.as_deref(),
        of_two: None,
    };
    Ok(views::page(status, &view))
}

/// Asks to log out of both accounts, by these sessions, and leads back to a page that can be asked for again.
pub(super) fn of_two_people(context: &PageContext, sessions: &[SessionId]) -> Result<Response, PageError> {
    let shell = context.shell(context.layout(), None)?;
    let sessions = two_people::seal(&context.app, &shell.csrf, sessions);
    let login =
        return_to::append("/auth/login", Some(context.target.as_str()).filter(|_| context.method == Method::GET));
    let view = LogoutPage { layout: &shell, return_to: Some(&login), of_two: Some(&sessions) };
    Ok(views::page(StatusCode::CONFLICT, &view))
}

fn unreadable_form_response(form_error: FormError) -> Response {
    let message = "The form cannot be read, its CSRF token is not the cookie's, or its origin is not allowed.";
    let mut response = ApiError::with_message(ErrorCode::Forbidden, message).into_response();
    *response.status_mut() = form_error.status();
    if form_error == FormError::Overloaded {
        error::set_retry_after(&mut response, error::RETRY_INTERVAL);
    }
    error::close_unread(&mut response, form_error);
    response
}
