//! Error responses: JSON for the API, a page elsewhere (docs/reference/api-v1.md 5.1, docs/reference/protocol.md 16.1).

use super::api::error::{ApiError, ErrorCode};
use super::failure::RequestFailure;
use super::form::FormError;
use super::views::Problem;
use crate::model::time::whole_seconds;
use axum::extract::Request;
use axum::http::header::{CONNECTION, RETRY_AFTER};
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Redirect, Response};
use std::time::Duration;

/// The `Retry-After` of a temporary failure or an overload.
pub const RETRY_INTERVAL: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseFormat {
    Json,
    /// JSON of the second version of the API, which says when the database is unavailable.
    JsonV2,
    Html,
}

impl ResponseFormat {
    /// Of a path without a route: JSON near the API, the keys and the gate, a page everywhere else. Of a path with one,
    /// its group in `router.rs` says it.
    pub fn without_route(request: &Request) -> Self {
        let path = request.uri().path();
        if let Some(operation) = path.strip_prefix("/auth/api/") {
            let is_v2 = operation == "v2" || operation.starts_with("v2/");
            return if is_v2 { ResponseFormat::JsonV2 } else { ResponseFormat::Json };
        }
        let is_json = path == "/auth/api" || path.starts_with("/auth/.well-known/") || path.starts_with("/auth/gate/");
        if is_json { ResponseFormat::Json } else { ResponseFormat::Html }
    }

    pub fn is_json(self) -> bool {
        self != ResponseFormat::Html
    }
}

/// The response of a page for a problem, without a body: the layer of error pages adds it in the user's
/// language, which the callers do not know.
pub fn problem(problem: Problem) -> Response {
    let mut response = problem.status().into_response();
    response.extensions_mut().insert(problem);
    if let Some(retry_after) = problem.retry_after() {
        set_retry_after(&mut response, retry_after);
    }
    response
}

/// Sets `Retry-After`, in whole seconds, rounded up.
pub fn set_retry_after(response: &mut Response, retry_after: Duration) {
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(whole_seconds(retry_after)));
}

/// The response to a failure, which it carries for the log.
pub fn failed(failure: RequestFailure, format: ResponseFormat) -> Response {
    let mut response = match format {
        ResponseFormat::JsonV2 if failure.is_transient() => ApiError::new(ErrorCode::Unavailable).into_response(),
        ResponseFormat::Json | ResponseFormat::JsonV2 => ApiError::new(ErrorCode::InternalError).into_response(),
        ResponseFormat::Html if failure.is_transient() => problem(Problem::Unavailable { retry_after: RETRY_INTERVAL }),
        ResponseFormat::Html => problem(Problem::Internal),
    };
    if failure.is_transient() {
        set_retry_after(&mut response, RETRY_INTERVAL);
    }
    response.extensions_mut().insert(failure);
    response
}

/// Refuses a request before it reaches its handler; `message` has no character that needs escaping in JSON.
pub fn refuse(format: ResponseFormat, reason: Problem, message: &'static str) -> Response {
    match format {
        ResponseFormat::Html => problem(reason),
        ResponseFormat::Json | ResponseFormat::JsonV2 => {
            let mut response = ApiError::with_message(ErrorCode::InvalidRequest, message).into_response();
            *response.status_mut() = reason.status();
            response
        }
    }
}

pub async fn not_found(request: Request) -> Response {
    if ResponseFormat::without_route(&request).is_json() {
        return ApiError::new(ErrorCode::NotFound).into_response();
    }
    match without_slash(&request) {
        Some(target) => Redirect::permanent(&target).into_response(),
        None => problem(Problem::NotFound),
    }
}

/// The address without slashes at its end: people type them, and programs that make links of addresses add them. The gate
/// is the proxies' alone, and leads nowhere.
fn without_slash(request: &Request) -> Option<String> {
    let (path, is_get) = (request.uri().path(), matches!(*request.method(), Method::GET | Method::HEAD));
    let trimmed = path.trim_end_matches('/');
    let is_page = is_get && trimmed != path && trimmed.starts_with("/auth/") && trimmed != "/auth/gate";
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    is_page.then(|| format!("{trimmed}{query}"))
}

/// Answers 405 for a known path with another method; the router adds `Allow`.
pub fn method_not_allowed(format: ResponseFormat) -> Response {
    if format.is_json() {
        return ApiError::new(ErrorCode::MethodNotAllowed).into_response();
    }
    problem(Problem::MethodNotAllowed)
}

/// The page for an invalid form body. The rest of a body that was not read to its end is not awaited.
pub fn bad_form(error: FormError) -> Response {
    let mut response = problem(match error {
        FormError::TooLarge => Problem::TooLarge,
        FormError::WrongType
        | FormError::NotText
        | FormError::TooManyFields
        | FormError::WrongFields
        | FormError::Incomplete => Problem::BadRequest,
        FormError::Overloaded => Problem::Unavailable { retry_after: RETRY_INTERVAL },
    });
    *response.status_mut() = error.status();
    close_unread(&mut response, error);
    response
}

/// Closes the connection after a body that was not read to its end.
pub fn close_unread(response: &mut Response, error: FormError) {
    if matches!(error, FormError::TooLarge | FormError::Incomplete | FormError::Overloaded) {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
}
