//! The layer of every request: request id, access log, timeout, security headers, and a 500 for a panic.

use super::error::ResponseFormat;
use super::language::Language;
use super::request_id::RequestId;
use super::security::SecurityHeaders;
use super::{cookies, csrf, error};
use crate::context::App;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// Exceeds the longest wait for a password hash.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Of the request line and headers together.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Runs the handler; answers also if it panics or takes too long.
pub async fn request_layer(
    State((app, security)): State<(Arc<App>, SecurityHeaders)>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let id = RequestId::generate();
    request.extensions_mut().insert(id);
    let method = request.method().clone();
    // The pattern, not the path: a path may contain the token of an emailed link.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let format = ResponseFormat::of(&request);
    let language = (format == ResponseFormat::Html).then(|| Language::of(&app.settings, &request));
    if let Some(language) = &language {
        request.extensions_mut().insert(language.clone());
    }
    let needs_csrf_token = format == ResponseFormat::Html && csrf::token(&app.settings, request.headers()).is_none();
    let outcome = if head_is_too_large(&request) {
        Err(HandlerFailure::HeadTooLarge)
    } else {
        run_handler(&method, next.run(request)).await
    };
    let mut response = outcome.unwrap_or_else(|failure| {
        failure.log(&method, route.as_ref(), id);
        error::internal_error(format, failure.status(), id)
    });
    if let Some(language) = &language {
        response = error::render_problem(&app, language, response);
    }
    if needs_csrf_token {
        add_csrf_cookie(&app, &mut response);
    }
    security.add(response.headers_mut());
    if let Ok(value) = HeaderValue::try_from(id.to_string()) {
        response.headers_mut().insert("x-request-id", value);
    }
    log_access(&method, route.as_ref(), response.status(), started.elapsed(), id);
    response
}

/// Every page sets a CSRF token (docs/protocol.md 3), also one that does not set its own cookies.
fn add_csrf_cookie(app: &App, response: &mut Response) {
    let is_page = response.headers().get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"));
    if !is_page || csrf::sets_cookie(&app.settings, response.headers()) {
        return;
    }
    let token = crate::crypto::csrf::generate().ok();
    if let Some(cookie) = token.and_then(|token| cookies::csrf(&app.settings, &token)) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

/// hyper checks its own limit between reads, and one read may exceed it by far.
fn head_is_too_large(request: &Request) -> bool {
    let headers = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    target + headers.sum::<usize>() > MAX_HEAD_BYTES
}

/// Why a handler returned no response.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum HandlerFailure {
    #[error("the handler panicked")]
    Panicked,
    #[error("the handler took too long")]
    TooSlow,
    #[error("the request's headers are too large")]
    HeadTooLarge,
}

impl HandlerFailure {
    fn log(self, method: &Method, route: Option<&MatchedPath>, id: RequestId) {
        let route = route_name(route);
        if self.status().is_server_error() {
            tracing::error!(request = %id, %method, route, "{self}");
        } else {
            tracing::debug!(request = %id, %method, route, "{self}");
        }
    }

    fn status(self) -> StatusCode {
        match self {
            HandlerFailure::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
            HandlerFailure::TooSlow => StatusCode::SERVICE_UNAVAILABLE,
            HandlerFailure::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        }
    }
}

/// A handler that may change data runs in its own task, to completion: the server drops the future when the client
/// disconnects, and a transaction must not be cut off.
async fn run_handler(
    method: &Method,
    handler: impl Future<Output = Response> + Send + 'static,
) -> Result<Response, HandlerFailure> {
    if matches!(*method, Method::GET | Method::HEAD) {
        return timeout(REQUEST_TIMEOUT, catch_panic(handler)).await.map_err(|_| HandlerFailure::TooSlow)?;
    }
    match timeout(REQUEST_TIMEOUT, tokio::spawn(handler)).await {
        Ok(joined) => joined.map_err(|_| HandlerFailure::Panicked),
        Err(_) => Err(HandlerFailure::TooSlow),
    }
}

async fn catch_panic(handler: impl Future<Output = Response>) -> Result<Response, HandlerFailure> {
    let mut handler = pin!(handler);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(response)) => Poll::Ready(Ok(response)),
        Err(_) => Poll::Ready(Err(HandlerFailure::Panicked)),
    })
    .await
}

fn route_name(route: Option<&MatchedPath>) -> &str {
    route.map_or("(none)", MatchedPath::as_str)
}

/// Logs frequent requests at `debug`: probes, assets, and `/auth/api/v1/user`, which applications call all the time.
fn log_access(method: &Method, route: Option<&MatchedPath>, status: StatusCode, elapsed: Duration, id: RequestId) {
    let route = route_name(route);
    let micros = elapsed.as_micros();
    let frequent = matches!(route, "/auth/api/v1/user" | "/auth/health" | "/auth/ready" | "/auth/assets/{file}");
    if frequent && !status.is_server_error() {
        tracing::debug!(target: "doorward::access", request = %id, %method, route, status = status.as_u16(), micros);
    } else {
        tracing::info!(target: "doorward::access", request = %id, %method, route, status = status.as_u16(), micros);
    }
}
