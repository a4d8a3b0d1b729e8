//! Refuses heads that are too large, and queries with too many fields.

use super::layer::{InnerService, Layer};
use crate::http::api::v2;
use crate::http::error::{self, ResponseFormat};
use crate::http::form;
use crate::http::views::Problem;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;

/// Of the request line and headers together.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// hyper checks its own limit between reads, and one read may exceed it by far.
pub struct HeadLimit;

impl Layer for HeadLimit {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let format = ResponseFormat::of(&request);
        if bytes(&request) > MAX_HEAD_BYTES {
            let mut response = error::refuse(format, Problem::TooLarge, "The headers are too large.");
            *response.status_mut() = StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE;
            return response;
        }
        let uri = request.uri();
        let counts_itself = uri.path().starts_with(v2::path::OPERATIONS);
        if !counts_itself && form::has_too_many_fields(uri.query().unwrap_or_default()) {
            return error::refuse(format, Problem::BadRequest, "The query has too many fields.");
        }
        next.run(request).await
    }
}

/// The size of a request's target and headers.
pub fn bytes(request: &Request) -> usize {
    let headers = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    target + headers.sum::<usize>()
}
