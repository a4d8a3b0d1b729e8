//! `POST /auth/sessions/logout` (docs/protocol.md 8.4).

use super::page_context::PageContext;
use crate::domain::session::lifecycle;
use crate::http::api::cors;
use crate::http::api::error::{ApiError, ErrorCode};
use crate::http::error::{self, InternalError};
use crate::http::form::{Fields, FormError};
use crate::http::session;
use crate::http::views::{self, LogoutPage};
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::ACCEPT;
use axum::response::{IntoResponse, Response};

/// Ends the presented sessions: 303 for a form, 204 for a script.
pub async fn submit(mut context: PageContext, body: Body) -> Result<Response, InternalError> {
    let fields = match context.fields(body).await {
        Ok(fields) => fields,
        Err(error) if accepts_html(&context) => return Ok(error::bad_form(error)),
        Err(error) => return Ok(script_error_response(context, error)),
    };
    if !context.is_csrf_valid(&fields) {
        return csrf_error_response(context, &fields);
    }
    let app = context.app.clone();
    let result = async {
        for session in session::presented_sessions(&app, &context.headers).await? {
            lifecycle::log_out(&app, session, &context.device()).await?;
        }
        Ok(())
    };
    result.await.map_err(|error: crate::error::Error| InternalError::new(error, context.id))?;
    context.clear_session();
    context.replace_csrf()?;
    if accepts_html(&context) {
        let return_to = context.return_to(&fields);
        return Ok(context.redirect(Some(return_to.as_deref().unwrap_or("/auth/login"))));
    }
    let headers = context.headers.clone();
    let mut response = context.respond(StatusCode::NO_CONTENT.into_response());
    cors::allow(&app, &headers, &mut response);
    Ok(response)
}

fn accepts_html(context: &PageContext) -> bool {
    let mut accepted = context.headers.get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/html"))
}

/// The 403 of a failed CSRF check: a page with a logout button that works, or a JSON error for a script.
fn csrf_error_response(mut context: PageContext, fields: &Fields) -> Result<Response, InternalError> {
    if !accepts_html(&context) {
        let mut response = ApiError::with_message(
            ErrorCode::Forbidden,
            "The CSRF token is missing or not the cookie's, or the request comes from an origin that is not allowed.",
        )
        .into_response();
        cors::allow(&context.app, &context.headers, &mut response);
        context.csrf()?;
        return Ok(context.respond(response));
    }
    let csrf = context.csrf()?;
    let return_to = context.return_to(fields);
    let view = LogoutPage { layout: context.layout(), csrf: &csrf, return_to: return_to.as_deref() };
    let page = views::page(StatusCode::FORBIDDEN, &view);
    Ok(context.respond(page))
}

fn script_error_response(context: PageContext, form_error: FormError) -> Response {
    let message = "The form cannot be read, its CSRF token is not the cookie's, or its origin is not allowed.";
    let mut response = ApiError::with_message(ErrorCode::Forbidden, message).into_response();
    *response.status_mut() = form_error.status();
    if form_error == FormError::Overloaded {
        error::set_retry_after(&mut response, error::RETRY_INTERVAL);
    }
    error::close_unread(&mut response, form_error);
    cors::allow(&context.app, &context.headers, &mut response);
    context.respond(response)
}
