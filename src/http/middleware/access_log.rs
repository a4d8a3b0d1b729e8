//! Logs and counts every request, and logs why one failed.

use super::counted_request::CountedRequest;
use super::layer::{InnerService, Layer};
use super::route;
use crate::context::App;
use crate::http::client;
use crate::http::failure::RequestFailure;
use crate::http::request_id::RequestId;
use crate::model::time;
use crate::model::trace::TraceParent;
use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tracing::field::display;

/// Stands outside the span, which frequent routes do not have at the usual level: its lines have the id in any case.
pub struct AccessLog {
    app: Arc<App>,
}

impl AccessLog {
    pub fn new(app: &Arc<App>) -> Self {
        Self { app: app.clone() }
    }

    /// The client's address, if the operator wants it in the log (`SVC_LOG_CLIENT_ADDRESS`).
    fn client_address(&self, request: &Request) -> Option<IpAddr> {
        let settings = &self.app.settings;
        let client = || client::of(&settings.server, request.headers(), request.extensions());
        settings.log.client_address.then(client).and_then(|client| client.for_records)
    }
}

impl Layer for AccessLog {
    async fn handle(&self, request: Box<Request>, next: impl InnerService) -> Response {
        let mut counted = CountedRequest::begin(&self.app.metrics.http, &request);
        let line = Line {
            id: request.extensions().get().copied().unwrap_or_default(),
            method: request.method().clone(),
            client: self.client_address(&request),
        };
        let response = next.run(request).await;
        let elapsed = counted.end(&response);
        if let Some(failure) = response.extensions().get::<RequestFailure>() {
            line.log_failure(counted.route(), failure);
        }
        line.log_access(counted.route(), &response, elapsed);
        response
    }
}

/// What all lines about a request say.
struct Line {
    id: RequestId,
    method: Method,
    client: Option<IpAddr>,
}

impl Line {
    /// An overload is a warning, anything else an error. That the database is away, or commits nothing, has a line of
    /// its own already.
    fn log_failure(&self, route: &str, failure: &RequestFailure) {
        let Self { id, method, .. } = self;
        if failure.is_told() {
            tracing::debug!(request = %id, %method, route, "{failure}");
        } else if failure.is_overload() {
            tracing::warn!(request = %id, %method, route, "{failure}");
        } else {
            tracing::error!(request = %id, %method, route, "{failure}");
        }
    }

    fn log_access(&self, route: &str, response: &Response, elapsed: Duration) {
        let Self { id, method, client } = self;
        let (status, micros) = (response.status().as_u16(), time::micros(elapsed));
        let client = client.map(display);
        let trace = response.extensions().get::<TraceParent>().map(TraceParent::trace);
        if route::is_frequent(route) && !response.status().is_server_error() {
            tracing::debug!(target: "doorward::access", request = %id, %method, route, status, micros, client, trace);
        } else {
            tracing::info!(target: "doorward::access", request = %id, %method, route, status, micros, client, trace);
        }
    }
}
