//! Answers 500 when a handler panics.

use super::layer::{InnerService, Layer};
use crate::http::error::{self, ResponseFormat};
use crate::http::failure::RequestFailure;
use axum::extract::Request;
use axum::response::Response;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// Without it a panic would close the connection without an answer.
pub struct CatchPanic;

impl Layer for CatchPanic {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let format = ResponseFormat::of(&request);
        let mut handler = pin!(next.run(request));
        poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context))) {
            Ok(progress) => progress,
            Err(_) => Poll::Ready(error::failed(RequestFailure::Panicked, format)),
        })
        .await
    }
}

#[cfg(test)]
#[path = "panic_tests.rs"]
mod tests;
