//! Logs and counts every request, and logs why one failed.

use super::counted_request::CountedRequest;
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

/// The lines about a request. They are written outside its span, which frequent routes do not have at the usual level.
pub struct AccessLine {
    counted: CountedRequest,
    id: RequestId,
    method: Method,
    client: Option<IpAddr>,
}

impl AccessLine {
    pub fn begin(app: &Arc<App>, request: &Request) -> Self {
        let (counted, id) = (CountedRequest::begin(app.clone(), request), RequestId::of(request.extensions()));
        Self { counted, id, method: request.method().clone(), client: client_address(app, request) }
    }

    pub fn id(&self) -> RequestId {
        self.id
    }

    pub fn end(mut self, response: &Response) {
        let elapsed = self.counted.end(response);
        if let Some(failure) = response.extensions().get::<RequestFailure>() {
            self.log_failure(failure);
        }
        self.log_access(response, elapsed);
    }

    /// An overload is a warning, anything else an error. That the database is away, or commits nothing, has a line of
    /// its own already.
    fn log_failure(&self, failure: &RequestFailure) {
        let Self { counted, id, method, .. } = self;
        let route = counted.route();
        if failure.is_told() {
            tracing::debug!(request = %id, %method, route, "{failure}");
        } else if failure.is_overload() {
            tracing::warn!(request = %id, %method, route, "{failure}");
        } else {
            tracing::error!(request = %id, %method, route, "{failure}");
        }
    }

    fn log_access(&self, response: &Response, elapsed: Duration) {
        let Self { counted, id, method, client } = self;
        let (route, status, micros) = (counted.route(), response.status().as_u16(), time::micros(elapsed));
        let client = client.map(display);
        let trace = response.extensions().get::<TraceParent>().map(TraceParent::trace);
        if route::is_frequent(route) && !response.status().is_server_error() {
            tracing::debug!(target: "doorward::access", request = %id, %method, route, status, micros, client, trace);
        } else {
            tracing::info!(target: "doorward::access", request = %id, %method, route, status, micros, client, trace);
        }
    }
}

/// The client's address, if the operator wants it in the log (`SVC_LOG_CLIENT_ADDRESS`).
fn client_address(app: &App, request: &Request) -> Option<IpAddr> {
    let client = || client::of(&app.settings.server, request.headers(), request.extensions());
    app.settings.log.client_address.then(client).and_then(|client| client.for_records)
}
