//! How a handler is run: it ends in time, it does not panic, and a change is not cut off.

use crate::http::error::{self, ResponseFormat};
use crate::http::failure::RequestFailure;
use crate::model::trace::TraceParent;
use crate::store::caused_by;
use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use std::convert::Infallible;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;
use tokio::time::timeout;
use tracing::Instrument;

/// Exceeds the longest wait for a password hash.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Whether the handler of a request may change data.
pub fn may_change(request: &Request) -> bool {
    !matches!(*request.method(), Method::GET | Method::HEAD)
}

/// A handler that may change data runs in its own task: the server drops the future when the client disconnects, and a
/// transaction must not be cut off.
pub async fn run_to_its_end<H>(handler: H, parent: Option<TraceParent>) -> Response
where
    H: Future<Output = Result<Response, Infallible>> + Send + 'static,
{
    match tokio::spawn(caused_by(parent, handler).in_current_span()).await {
        Ok(Ok(response)) => response,
        // The other error is that the runtime shuts down.
        Err(error) => resume_unwind(error.try_into_panic().unwrap_or_else(|_| Box::new(()))),
    }
}

/// The handler's answer: 500 if it panics, as the connection would close without an answer, and 503 if it takes too long.
pub async fn answer(
    mut handler: Pin<&mut (impl Future<Output = Response> + Send)>,
    format: ResponseFormat,
) -> Response {
    let mut caught = poll_fn(|context| match catch_unwind(AssertUnwindSafe(|| handler.as_mut().poll(context))) {
        Ok(progress) => progress,
        Err(_) => Poll::Ready(error::failed(RequestFailure::Panicked, format)),
    });
    // What is answered from memory needs no timer.
    if let Poll::Ready(response) = poll_once(&mut caught).await {
        return response;
    }
    timeout(REQUEST_TIMEOUT, caught).await.unwrap_or_else(|_| error::failed(RequestFailure::TooSlow, format))
}

async fn poll_once<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    poll_fn(|context| Poll::Ready(Pin::new(&mut *future).poll(context))).await
}

#[cfg(test)]
#[path = "guard_tests.rs"]
mod tests;
