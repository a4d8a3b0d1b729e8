//! Counts and times every request.

use super::layer::{InnerService, Layer};
use super::route;
use crate::context::App;
use crate::metrics::{HttpMetrics, StatusClass};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use std::sync::Arc;
use tokio::time::Instant;

/// By the pattern of the route and one of the known methods: nothing that a client makes up is a label.
pub struct RequestMetrics {
    metrics: HttpMetrics,
}

impl RequestMetrics {
    /// The layer of a process.
    pub fn new(app: &Arc<App>) -> Self {
        Self { metrics: app.metrics.http.clone() }
    }
}

impl Layer for RequestMetrics {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let mut counted = CountedRequest::begin(&self.metrics, &request);
        let response = next.run(request).await;
        counted.status = StatusClass::of(response.status().as_u16());
        response
    }
}

/// A request in flight. Dropped before its response, as when the client disconnects, it is counted as gone.
struct CountedRequest<'a> {
    metrics: &'a HttpMetrics,
    route: Option<MatchedPath>,
    method: &'static str,
    started: Instant,
    status: StatusClass,
}

impl<'a> CountedRequest<'a> {
    fn begin(metrics: &'a HttpMetrics, request: &Request) -> Self {
        metrics.begin();
        let (route, method) = (request.extensions().get().cloned(), route::method(request.method()));
        Self { metrics, route, method, started: Instant::now(), status: StatusClass::Gone }
    }
}

impl Drop for CountedRequest<'_> {
    fn drop(&mut self) {
        self.metrics.end(route::name(self.route.as_ref()), self.method, self.status, self.started.elapsed());
    }
}
