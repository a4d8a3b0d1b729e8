//! Error responses: JSON for the API, a page elsewhere (docs/protocol.md 5.1 and 16.1).

use super::api::error::{ApiError, ErrorCode};
use super::form::FormError;
use super::language::Language;
use super::request_id::RequestId;
use super::views::{self, ErrorPage, Layout, Problem};
use crate::context::App;
use crate::error::Error;
use axum::extract::Request;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// The `Retry-After` of a temporary failure or an overload.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

/// The format of an error response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResponseFormat {
    /// JSON, for programs.
    Json,
    /// A page, for people.
    Html,
}

impl ResponseFormat {
    /// JSON for the API and the keys, a page for every other path.
    pub fn of(request: &Request) -> Self {
        let path = request.uri().path();
        let is_json = path.starts_with("/auth/api/")
            || path == "/auth/api"
            || path.starts_with("/auth/.well-known/")
            || path == "/auth/sessions/refresh";
        if is_json { ResponseFormat::Json } else { ResponseFormat::Html }
    }
}

/// The response of a page for a problem, without a body: [`render_problem`] adds it in the user's language, which the
/// callers do not know.
pub fn problem(problem: Problem) -> Response {
    let mut response = problem.status().into_response();
    response.extensions_mut().insert(problem);
    if let Problem::TooManyRequests { retry_after } | Problem::Unavailable { retry_after } = problem {
        set_retry_after(&mut response, retry_after);
    }
    response
}

/// Renders the page of a problem; returns any other response unchanged.
pub fn render_problem(app: &App, language: &Language, response: Response) -> Response {
    let Some(problem) = response.extensions().get::<Problem>().copied() else { return response };
    let page = views::page(response.status(), &ErrorPage { layout: Layout::new(app, language), problem });
    let (mut head, _) = response.into_parts();
    let (rendered, body) = page.into_parts();
    head.headers.extend(rendered.headers);
    Response::from_parts(head, body)
}

/// Sets `Retry-After`, in whole seconds, rounded up.
pub fn set_retry_after(response: &mut Response, retry_after: Duration) {
    let seconds = retry_after.as_secs() + u64::from(retry_after.subsec_nanos() > 0);
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
}

/// The response to a request that failed outside its handler.
pub fn internal_error(format: ResponseFormat, status: StatusCode, id: RequestId) -> Response {
    match (format, status) {
        (ResponseFormat::Json, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) => {
            let mut response =
                ApiError::with_message(ErrorCode::InvalidRequest, "The headers are too large.").into_response();
            *response.status_mut() = status;
            response
        }
        (ResponseFormat::Html, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE) => {
            let mut response = problem(Problem::TooLarge);
            *response.status_mut() = status;
            response
        }
        (ResponseFormat::Json, _) => ApiError::new(ErrorCode::InternalError).into_response(),
        (ResponseFormat::Html, StatusCode::SERVICE_UNAVAILABLE) => {
            problem(Problem::Unavailable { retry_after: RETRY_INTERVAL })
        }
        (ResponseFormat::Html, _) => problem(Problem::Internal { request_id: id }),
    }
}

/// An internal failure of a use case: logged with the request id, answered without detail.
pub struct InternalError {
    error: Error,
    id: RequestId,
}

impl InternalError {
    /// `id` is the request id.
    pub fn new(error: impl Into<Error>, id: RequestId) -> Self {
        Self { error: error.into(), id }
    }

    /// Whether a retry may succeed soon.
    fn is_transient(&self) -> bool {
        match &self.error {
            Error::Busy => true,
            Error::Store(error) => error.is_unavailable(),
            _ => false,
        }
    }

    /// Logs an overload as a warning, anything else as an error.
    fn log(&self) {
        if matches!(self.error, Error::Busy) {
            tracing::warn!(request = %self.id, "{}", self.error);
        } else {
            tracing::error!(request = %self.id, "{}", self.error);
        }
    }

    /// The JSON response.
    pub fn json(self) -> Response {
        self.log();
        ApiError::new(ErrorCode::InternalError).into_response()
    }
}

/// The page as the response.
impl IntoResponse for InternalError {
    fn into_response(self) -> Response {
        self.log();
        if self.is_transient() {
            problem(Problem::Unavailable { retry_after: RETRY_INTERVAL })
        } else {
            problem(Problem::Internal { request_id: self.id })
        }
    }
}

/// Answers 404 for an unknown path.
pub async fn not_found(request: Request) -> Response {
    match ResponseFormat::of(&request) {
        ResponseFormat::Json => ApiError::new(ErrorCode::NotFound).into_response(),
        ResponseFormat::Html => problem(Problem::NotFound),
    }
}

/// Answers 405 for a known path with another method; the router adds `Allow`.
pub async fn method_not_allowed(request: Request) -> Response {
    match ResponseFormat::of(&request) {
        ResponseFormat::Json => ApiError::new(ErrorCode::MethodNotAllowed).into_response(),
        ResponseFormat::Html => problem(Problem::MethodNotAllowed),
    }
}

/// The page for an invalid form body.
pub fn bad_form(error: FormError) -> Response {
    let mut response = problem(match error {
        FormError::TooLarge => Problem::TooLarge,
        FormError::WrongType | FormError::NotText | FormError::Incomplete => Problem::BadRequest,
    });
    *response.status_mut() = error.status();
    response
}
