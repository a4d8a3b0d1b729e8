//! The span of a request: every line that is logged within carries its id, method and route.

use super::layer::{InnerService, Layer};
use super::route;
use crate::http::request_id::RequestId;
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use tracing::Instrument;

/// Costs nothing where its level is off: frequent routes have their span at `debug`.
pub struct RequestSpan;

impl Layer for RequestSpan {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let id = request.extensions().get::<RequestId>().copied().unwrap_or_default();
        let method = request.method();
        let route = super::route::name(request.extensions().get::<MatchedPath>());
        let span = if route::is_frequent(route) {
            tracing::debug_span!("http", request = %id, %method, route)
        } else {
            tracing::info_span!("http", request = %id, %method, route)
        };
        next.run(request).instrument(span).await
    }
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
