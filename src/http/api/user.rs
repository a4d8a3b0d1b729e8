//! `GET /auth/api/v1/user`, which an application calls for each of its own requests.

use super::cors;
use super::error::{ApiError, ErrorCode};
use crate::context::App;
use crate::error::Error;
use crate::http::error::{self, ResponseFormat};
use crate::http::{csrf, session};
use crate::model::ids::UserId;
use crate::model::session_view::SessionView;
use crate::model::time::Time;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::sync::Arc;

/// The response body (docs/reference/api-v1.md 5.2).
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
pub async fn show(State(app): State<Arc<App>>, request: Request) -> Response {
    // Not the extractor: it copies the headers.
    let headers = request.headers();
    let mut response = match session::from_access_token(&app, headers).await {
        Ok(Some(live)) => user(&app, &live.view).unwrap_or_else(failed),
        Ok(None) => ApiError::new(ErrorCode::Unauthorized).into_response(),
        Err(error) => failed(error),
    };
    csrf::give_cookie(&app.settings, headers, &mut response);
    cors::allow(&app, headers, &mut response);
    response
}

fn user(app: &App, view: &SessionView) -> Result<Response, Error> {
    let user = User {
        id: view.user_id,
        email: &view.email,
        username: &view.username,
        roles: view.roles.iter().map(|role| app.settings.name.role(role)).collect(),
        disabled: view.disabled_at.is_some(),
        created_at: view.created_at,
    };
    let body = serde_json::to_vec(&user).map_err(Error::json)?;
    let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
    Ok((StatusCode::OK, headers, body).into_response())
}

fn failed(error: Error) -> Response {
    error::failed(error.into(), ResponseFormat::Json)
}
