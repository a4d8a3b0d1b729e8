//! Cross-origin use by the applications of `SVC_ALLOWED_ORIGINS` (docs/reference/browser.md 4.4).

use crate::context::App;
use crate::http::csrf;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_MAX_AGE, ORIGIN, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// Lets a page of an allowed origin read the response. Adds nothing if no origins are configured.
pub fn allow(app: &App, request: &HeaderMap, response: &mut Response) {
    allow_origin(app, request.get(ORIGIN), response);
}

/// As [`allow`], around the operations of a router.
pub async fn layer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let origin = request.headers().get(ORIGIN).cloned();
    let mut response = next.run(request).await;
    allow_origin(&app, origin.as_ref(), &mut response);
    response
}

fn allow_origin(app: &App, origin: Option<&HeaderValue>, response: &mut Response) {
    if app.settings.server.allowed_origins.is_empty() {
        return;
    }
    let headers = response.headers_mut();
    headers.append(VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin.filter(|origin| is_allowed(app, origin)) {
        headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    }
}

fn is_allowed(app: &App, origin: &HeaderValue) -> bool {
    origin.to_str().is_ok_and(|origin| csrf::is_allowed_origin(&app.settings, origin))
}

/// Answers the CORS preflight; without permissions if the origin is not allowed.
pub async fn preflight(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    permit(&app, &headers, "GET, POST")
}

/// The same of the operations on the session of API v2.
pub async fn preflight_session(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    permit(&app, &headers, "GET, PUT, DELETE")
}

fn permit(app: &App, headers: &HeaderMap, methods: &'static str) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    allow(app, headers, &mut response);
    if response.headers().contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) {
        let headers = response.headers_mut();
        headers.insert(ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(methods));
        headers.insert(ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("X-CSRF-Token, Content-Type"));
        headers.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    }
    response
}
