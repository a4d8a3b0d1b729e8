//! Refuses heads that are too large, and queries with too many fields.

use crate::http::error::{self, ResponseFormat};
use crate::http::form;
use crate::http::views::Problem;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;

/// Of the request line and headers together.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// hyper checks its own limit between reads, and one read may exceed it by far.
pub fn refuse(request: &Request, format: ResponseFormat) -> Option<Response> {
    if bytes(request) > MAX_HEAD_BYTES {
        let mut response = error::refuse(format, Problem::TooLarge, "The headers are too large.");
        *response.status_mut() = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
        return Some(response);
    }
    // Operations of API v2 count for themselves.
    let counts = format != ResponseFormat::JsonV2;
    let has_too_many = counts && form::has_too_many_fields(request.uri().query().unwrap_or_default());
    has_too_many.then(|| error::refuse(format, Problem::BadRequest, "The query has too many fields."))
}

/// The size of a request's target and headers.
pub fn bytes(request: &Request) -> usize {
    let headers = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    target + headers.sum::<usize>()
}
