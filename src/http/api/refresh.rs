//! `POST /auth/api/v1/sessions/refresh`, and its alias `/auth/sessions/refresh`.

use super::cors;
use super::error::{ApiError, ErrorCode};
use crate::context::App;
use crate::domain::session::refresh::{RefreshError, Refreshed};
use crate::http::client::ClientAddress;
use crate::http::csrf::{CsrfRefusal, Origins};
use crate::http::error::{self, ResponseFormat};
use crate::http::session::{self, PresentedTokens};
use crate::http::{cookies, csrf, device, form, two_people};
use crate::model::device::Device;
use axum::Extension;
use axum::extract::{RawQuery, State};
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Refreshes a session, with the order of checks of docs/reference/api-v1.md 7.3.
pub async fn submit(
    State(app): State<Arc<App>>,
    RawQuery(query): RawQuery,
    client: ClientAddress,
    Extension(origins): Extension<Origins>,
    headers: HeaderMap,
) -> Response {
    let device = device::from_headers(&headers, client);
    let mut response = respond(&app, query.as_deref(), &headers, origins, &device).await;
    cors::allow(&app, &headers, &mut response);
    response
}

async fn respond(app: &App, query: Option<&str>, headers: &HeaderMap, origins: Origins, device: &Device) -> Response {
    if cookies::values(headers, app.settings.name.refresh_cookie()).all(str::is_empty) {
        return ApiError::new(ErrorCode::Unauthorized).into_response();
    }
    let csrf = match csrf::verify(&app.settings, headers, None, origins) {
        Ok(csrf) => csrf,
        Err(refusal) => {
            refusal.log(app);
            return ApiError::with_message(ErrorCode::InvalidRequest, CsrfRefusal::EXPLANATION).into_response();
        }
    };
    let query = form::query(query);
    let Some(audience) = query.single("audience").filter(|audience| app.settings.sessions.has_audience(audience))
    else {
        return ApiError::with_message(ErrorCode::InvalidRequest, "The audience is missing, repeated or unknown.")
            .into_response();
    };
    let mut tokens = PresentedTokens::to_refresh(app, headers);
    match two_people::sessions(app, &mut tokens).await {
        Ok(None) => {}
        // The cookies stay: without the person's own, the stranger's session would be the only one.
        Ok(Some(_)) => return ApiError::new(ErrorCode::Unauthorized).into_response(),
        Err(failure) => return error::failed(failure.into(), ResponseFormat::Json),
    }
    match session::refresh(app, &mut tokens, audience, device).await {
        Ok(refreshed) => success(app, &refreshed, csrf),
        Err(RefreshError::Refused(_)) => refused(app),
        Err(RefreshError::AudienceNotPermitted) => {
            ApiError::with_message(ErrorCode::Unauthorized, "The audience is not permitted for this user.")
                .into_response()
        }
        Err(RefreshError::RateLimited(wait)) => {
            let mut response = ApiError::new(ErrorCode::RateLimited).into_response();
            error::set_retry_after(&mut response, wait);
            response
        }
        Err(RefreshError::Failed(failure)) => error::failed(failure.into(), ResponseFormat::Json),
    }
}

fn success(app: &App, refreshed: &Refreshed, csrf: &str) -> Response {
    let settings = &app.settings;
    let mut response = (StatusCode::OK, [(CACHE_CONTROL, "no-store")]).into_response();
    let session = [
        cookies::access(settings, &refreshed.access),
        refreshed.refresh.as_ref().and_then(|token| cookies::refresh(settings, token)),
        cookies::csrf(settings, csrf),
    ];
    for cookie in session.into_iter().flatten() {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

/// Answers 401 and clears the session's cookies.
fn refused(app: &App) -> Response {
    let mut response = ApiError::new(ErrorCode::Unauthorized).into_response();
    for cookie in cookies::clear_session(&app.settings) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}
