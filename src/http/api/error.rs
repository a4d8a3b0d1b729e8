//! The errors of the JSON API (docs/protocol.md 5.1).

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// The error codes of the JSON API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// No valid session.
    Unauthorized,
    /// The request is invalid.
    InvalidRequest,
    /// The CSRF check failed.
    Forbidden,
    /// No such path.
    NotFound,
    /// The path does not support the method.
    MethodNotAllowed,
    /// Too many requests.
    RateLimited,
    /// An internal error.
    InternalError,
    /// The database is away, or too much is asked of the service.
    Unavailable,
}

impl ErrorCode {
    const fn parts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            ErrorCode::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "A valid session is required."),
            ErrorCode::InvalidRequest => (StatusCode::BAD_REQUEST, "invalid_request", "The request is not valid."),
            ErrorCode::Forbidden => (StatusCode::FORBIDDEN, "forbidden", "The request is not permitted."),
            ErrorCode::NotFound => (StatusCode::NOT_FOUND, "not_found", "There is no such operation."),
            ErrorCode::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "The operation has another method.")
            }
            ErrorCode::RateLimited => (StatusCode::TOO_MANY_REQUESTS, "rate_limited", "Too many requests."),
            ErrorCode::Unavailable => {
                (StatusCode::SERVICE_UNAVAILABLE, "unavailable", "The service is not available; try again.")
            }
            ErrorCode::InternalError => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "The service failed; try again.")
            }
        }
    }
}

/// An error of the JSON API.
#[derive(Clone, Copy, Debug)]
pub struct ApiError {
    code: ErrorCode,
    message: Option<&'static str>,
}

impl ApiError {
    /// An error with the default message of its code.
    pub const fn new(code: ErrorCode) -> Self {
        Self { code, message: None }
    }

    /// An error with a specific message, in which no character needs escaping in JSON.
    pub const fn with_message(code: ErrorCode, message: &'static str) -> Self {
        Self { code, message: Some(message) }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code, default_message) = self.code.parts();
        let message = self.message.unwrap_or(default_message);
        let body = format!(r#"{{"error":{{"code":"{code}","message":"{message}"}}}}"#);
        (status, [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response()
    }
}
