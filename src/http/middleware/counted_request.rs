//! Counts and times a request.

use super::route;
use crate::context::App;
use crate::metrics::{HttpMethod, StatusClass};
use axum::extract::{MatchedPath, Request};
use axum::response::Response;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A request in flight, by the pattern of its route and one of the known methods: nothing that a client makes up is a
/// label. Dropped before its response, as when the client disconnects, it is counted as gone.
pub struct CountedRequest {
    app: Arc<App>,
    route: Option<MatchedPath>,
    method: HttpMethod,
    started: Instant,
    ended: Option<(StatusClass, Duration)>,
}

impl CountedRequest {
    pub fn begin(app: Arc<App>, request: &Request) -> Self {
        app.metrics.http.begin();
        let (route, method) = (request.extensions().get().cloned(), route::method(request.method()));
        Self { app, route, method, started: Instant::now(), ended: None }
    }

    pub fn route(&self) -> &str {
        route::name(self.route.as_ref())
    }

    /// Records its response; returns how long that took.
    pub fn end(&mut self, response: &Response) -> Duration {
        let elapsed = self.started.elapsed();
        self.ended = Some((StatusClass::of(response.status().as_u16()), elapsed));
        elapsed
    }
}

impl Drop for CountedRequest {
    fn drop(&mut self) {
        let (status, elapsed) = self.ended.unwrap_or_else(|| (StatusClass::Gone, self.started.elapsed()));
        self.app.metrics.http.end(self.route(), self.method, status, elapsed);
    }
}
