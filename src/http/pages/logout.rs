//! `POST /auth/sessions/logout`: ends the session.

use super::visit::Visit;
use crate::domain::session::lifecycle;
use crate::http::api::cors;
use crate::http::api::error::{ApiError, Code};
use crate::http::error::{self, Fault};
use crate::http::form::{self, Fields};
use crate::http::session;
use crate::http::views::{self, LogOutPage};
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::ACCEPT;
use axum::response::{IntoResponse, Response};

/// Ends the session of the cookies: 303 for a form, 204 for a script.
pub async fn submit(mut visit: Visit, body: Body) -> Result<Response, Fault> {
    let fields = match form::read(&visit.headers, body).await {
        Ok(fields) => fields,
        Err(error) if wants_page(&visit) => return Ok(error::unreadable(error)),
        Err(error) => return Ok(refuse_script(visit, error.status())),
    };
    if !visit.is_meant(&fields) {
        return refuse(visit, &fields);
    }
    let app = visit.app.clone();
    let ended = async {
        for session in session::presented_sessions(&app, &visit.headers).await? {
            lifecycle::log_out(&app, session, &visit.device()).await?;
        }
        Ok(())
    };
    ended.await.map_err(|error: crate::error::Error| Fault::new(error, visit.id))?;
    visit.forget_session();
    visit.replace_csrf()?;
    if wants_page(&visit) {
        let return_to = visit.return_to(&fields);
        return Ok(visit.redirect(Some(return_to.as_deref().unwrap_or("/auth/login"))));
    }
    let headers = visit.headers.clone();
    let mut response = visit.answer(StatusCode::NO_CONTENT.into_response());
    cors::allow(&app, &headers, &mut response);
    Ok(response)
}

fn wants_page(visit: &Visit) -> bool {
    let mut accepted = visit.headers.get_all(ACCEPT).into_iter().filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/html"))
}

/// Nothing was ended: a page with a log-out button that works, or an error for the script.
fn refuse(mut visit: Visit, fields: &Fields) -> Result<Response, Fault> {
    if !wants_page(&visit) {
        let mut response = ApiError::because(
            Code::Forbidden,
            "The CSRF token is missing or not the cookie's, or the request comes from an origin that is not allowed.",
        )
        .into_response();
        cors::allow(&visit.app, &visit.headers, &mut response);
        visit.csrf()?;
        return Ok(visit.answer(response));
    }
    let csrf = visit.csrf()?;
    let return_to = visit.return_to(fields);
    let view = LogOutPage { chrome: visit.chrome(), csrf: &csrf, return_to: return_to.as_deref() };
    let page = views::page(StatusCode::FORBIDDEN, &view);
    Ok(visit.answer(page))
}

fn refuse_script(visit: Visit, status: StatusCode) -> Response {
    let why = "The form cannot be read, its CSRF token is not the cookie's, or its origin is not allowed.";
    let mut response = ApiError::because(Code::Forbidden, why).into_response();
    *response.status_mut() = status;
    cors::allow(&visit.app, &visit.headers, &mut response);
    visit.answer(response)
}
