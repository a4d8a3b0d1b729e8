//! The error body of the JSON API (contract.md 4).

use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// The codes of the JSON API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// No valid session.
    Unauthorized,
    /// The request cannot be accepted.
    InvalidRequest,
    /// The request was not meant by the user.
    Forbidden,
    /// No such path.
    NotFound,
    /// The path does not know the method.
    MethodNotAllowed,
    /// Too many requests.
    RateLimited,
    /// Our fault.
    InternalError,
}

impl Code {
    const fn parts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Code::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized", "A valid session is required."),
            Code::InvalidRequest => (StatusCode::BAD_REQUEST, "invalid_request", "The request is not valid."),
            Code::Forbidden => (StatusCode::FORBIDDEN, "forbidden", "The request is not permitted."),
            Code::NotFound => (StatusCode::NOT_FOUND, "not_found", "There is no such operation."),
            Code::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "The operation has another method.")
            }
            Code::RateLimited => (StatusCode::TOO_MANY_REQUESTS, "rate_limited", "Too many requests."),
            Code::InternalError => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal_error", "The service failed; try again.")
            }
        }
    }
}

/// An error of the JSON API.
#[derive(Clone, Copy, Debug)]
pub struct ApiError {
    code: Code,
    message: Option<&'static str>,
}

impl ApiError {
    /// With the code's usual message.
    pub const fn new(code: Code) -> Self {
        Self { code, message: None }
    }

    /// With a message that says more; no character in it needs escaping in JSON.
    pub const fn because(code: Code, message: &'static str) -> Self {
        Self { code, message: Some(message) }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, code, usual) = self.code.parts();
        let message = self.message.unwrap_or(usual);
        let body = format!(r#"{{"error":{{"code":"{code}","message":"{message}"}}}}"#);
        (status, [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response()
    }
}
