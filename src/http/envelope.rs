//! What happens to every request: an id, a line in the access log, a time limit, and a 500 for a panic.

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

/// Longer than the longest wait for a password hash.
const MAX_TIME: Duration = Duration::from_secs(30);

/// Request line and headers together.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Runs a request to its answer, whatever happens.
pub async fn wrap(
    State((app, security)): State<(Arc<App>, SecurityHeaders)>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let id = RequestId::next();
    request.extensions_mut().insert(id);
    let method = request.method().clone();
    // The pattern, not the path: a path may hold the token of a mailed link.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let audience = error::Audience::of(&request);
    let language = (audience == error::Audience::Person).then(|| Language::of(&app.settings, &request));
    if let Some(language) = &language {
        request.extensions_mut().insert(language.clone());
    }
    let needs_csrf_token =
        audience == error::Audience::Person && csrf::token(&app.settings, request.headers()).is_none();
    let outcome =
        if head_is_too_large(&request) { Err(Failure::HeadTooLarge) } else { run(&method, next.run(request)).await };
    let mut response = outcome.unwrap_or_else(|failure| {
        failure.log(&method, route.as_ref(), id);
        error::fault(audience, failure.status(), id)
    });
    if let Some(language) = &language {
        response = error::show_problem(&app, language, response);
    }
    if needs_csrf_token {
        give_csrf_token(&app, &mut response);
    }
    security.add(response.headers_mut());
    if let Ok(value) = HeaderValue::try_from(id.to_string()) {
        response.headers_mut().insert("x-request-id", value);
    }
    log(&method, route.as_ref(), response.status(), started.elapsed(), id);
    response
}

/// Every page leaves a CSRF token behind (contract.md 3), also those that answer without a visit's cookies.
fn give_csrf_token(app: &App, response: &mut Response) {
    let is_page = response.headers().get(CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"));
    if !is_page || csrf::is_set_by(&app.settings, response.headers()) {
        return;
    }
    let token = crate::crypto::csrf::generate().ok();
    if let Some(cookie) = token.and_then(|token| cookies::csrf(&app.settings, &token)) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

/// hyper's own limit is looked at between reads, and one read may bring in much more.
fn head_is_too_large(request: &Request) -> bool {
    let headers = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    target + headers.sum::<usize>() > MAX_HEAD_BYTES
}

/// Why a request got no answer from its handler.
#[derive(Clone, Copy, Debug, thiserror::Error)]
enum Failure {
    #[error("the handler panicked")]
    Panicked,
    #[error("the handler took too long")]
    TooSlow,
    #[error("the request's headers are too large")]
    HeadTooLarge,
}

impl Failure {
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
            Failure::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
            Failure::TooSlow => StatusCode::SERVICE_UNAVAILABLE,
            Failure::HeadTooLarge => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
        }
    }
}

/// A handler that may change something runs in a task of its own, to its end: the server drops the future of a client
/// that hangs up, and a transaction must not be left half-way.
async fn run(method: &Method, handler: impl Future<Output = Response> + Send + 'static) -> Result<Response, Failure> {
    if matches!(*method, Method::GET | Method::HEAD) {
        return timeout(MAX_TIME, caught(handler)).await.map_err(|_| Failure::TooSlow)?;
    }
    match timeout(MAX_TIME, tokio::spawn(handler)).await {
        Ok(joined) => joined.map_err(|_| Failure::Panicked),
        Err(_) => Err(Failure::TooSlow),
    }
}

async fn caught(handler: impl Future<Output = Response>) -> Result<Response, Failure> {
    let mut handler = pin!(handler);
    poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context))) {
        Ok(Poll::Pending) => Poll::Pending,
        Ok(Poll::Ready(response)) => Poll::Ready(Ok(response)),
        Err(_) => Poll::Ready(Err(Failure::Panicked)),
    })
    .await
}

fn route_name(route: Option<&MatchedPath>) -> &str {
    route.map_or("(none)", MatchedPath::as_str)
}

/// Requests that an application makes for each of its own, and the operator's probes, are logged at `debug`.
fn log(method: &Method, route: Option<&MatchedPath>, status: StatusCode, took: Duration, id: RequestId) {
    let route = route_name(route);
    let micros = took.as_micros();
    let frequent = matches!(route, "/auth/api/v1/user" | "/auth/health" | "/auth/ready" | "/auth/assets/{file}");
    if frequent && !status.is_server_error() {
        tracing::debug!(target: "doorward::access", request = %id, %method, route, status = status.as_u16(), micros);
    } else {
        tracing::info!(target: "doorward::access", request = %id, %method, route, status = status.as_u16(), micros);
    }
}
