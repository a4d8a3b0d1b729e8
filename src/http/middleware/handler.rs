//! The core that the layers surround: the router's handler.

use super::layer::InnerService;
use crate::http::error::{self, ResponseFormat};
use crate::http::failure::RequestFailure;
use crate::model::trace::TraceParent;
use crate::store::caused_by;
use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use std::panic::resume_unwind;
use tracing::Instrument;

/// Runs a handler that may change data in its own task, to its end: the server drops the future when the client
/// disconnects, and a transaction must not be cut off.
pub struct Handler(pub axum::middleware::Next);

impl InnerService for Handler {
    async fn run(self, request: Box<Request>) -> Response {
        if matches!(*request.method(), Method::GET | Method::HEAD) {
            return self.0.run(*request).await;
        }
        let format = ResponseFormat::of(&request);
        let parent = request.extensions().get::<TraceParent>().copied();
        let work = caused_by(parent, self.0.run(*request)).in_current_span();
        match tokio::spawn(work).await.map_err(tokio::task::JoinError::try_into_panic) {
            Ok(response) => response,
            Err(Ok(panic)) => resume_unwind(panic),
            // The runtime shuts down.
            Err(Err(_)) => error::failed(RequestFailure::Panicked, format),
        }
    }
}
