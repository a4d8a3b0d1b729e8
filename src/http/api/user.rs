//! `GET /auth/api/v1/user`, which an application calls for each of its own requests.

use super::cors;
use super::error::{ApiError, ErrorCode};
use crate::context::App;
use crate::http::error::InternalError;
use crate::http::request_id::RequestId;
use crate::http::{cookies, csrf, session};
use crate::model::ids::UserId;
use crate::model::time::Time;
use crate::store::{SessionView, StoreError};
use axum::Extension;
use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;

/// The response body (docs/protocol.md 5.2).
#[derive(Serialize)]
struct User<'a> {
    id: UserId,
    email: &'a str,
    username: &'a str,
    roles: Vec<&'a str>,
    disabled: bool,
    created_at: Time,
}

/// Returns the user of the live session.
pub async fn show(State(app): State<Arc<App>>, Extension(id): Extension<RequestId>, request: Request) -> Response {
    // Not the extractor: it copies the headers.
    let headers = request.headers();
    let mut response = match session::from_access_token(&app, headers).await {
        Ok(Some(live)) => user(&app, &live.view).unwrap_or_else(|error| InternalError::new(error, id).json()),
        Ok(None) => ApiError::new(ErrorCode::Unauthorized).into_response(),
        Err(error) => InternalError::new(error, id).json(),
    };
    add_csrf_cookie(&app, headers, &mut response);
    cors::allow(&app, headers, &mut response);
    response
}

fn user(app: &App, view: &SessionView) -> Result<Response, StoreError> {
    let body = serde_json::to_vec(&User {
        id: view.user_id,
        email: &view.email,
        username: &view.username,
        roles: view.roles.iter().map(|role| app.settings.name.role(role)).collect(),
        disabled: view.disabled_at.is_some(),
        created_at: view.created_at,
    })?;
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    Ok((StatusCode::OK, headers, body).into_response())
}

/// Sets a CSRF cookie if the request has no usable one (docs/protocol.md 5.2).
fn add_csrf_cookie(app: &App, headers: &HeaderMap, response: &mut Response) {
    if csrf::token(&app.settings, headers).is_some() {
        return;
    }
    let fresh = crate::crypto::csrf::generate().ok();
    if let Some(cookie) = fresh.and_then(|token| cookies::csrf(&app.settings, &token)) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}
