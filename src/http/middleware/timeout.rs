//! Answers when a handler takes too long.

use super::layer::{InnerService, Layer};
use crate::http::error::{self, ResponseFormat};
use crate::http::failure::RequestFailure;
use axum::extract::Request;
use axum::response::Response;
use std::time::Duration;

/// Exceeds the longest wait for a password hash.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// A handler that may change data runs on in its own task.
pub struct Timeout;

impl Layer for Timeout {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let format = ResponseFormat::of(&request);
        let answered = tokio::time::timeout(REQUEST_TIMEOUT, next.run(request)).await;
        answered.unwrap_or_else(|_| error::failed(RequestFailure::TooSlow, format))
    }
}
