//! The span of a request: every line that is logged within carries its id, method and route, and its trace if there is one.

use super::layer::{InnerService, Layer};
use super::route;
use crate::context::App;
use crate::http::client;
use crate::http::request_id::RequestId;
use crate::model::trace::{CallerTrace, TraceParent};
use crate::traces::{TracedRequest, Traces};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName};
use axum::response::Response;
use ipnet::IpNet;
use std::sync::Arc;
use tracing::{Instrument, Span};

/// W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Costs nothing where its level is off: frequent routes have their span at `debug`.
pub struct RequestSpan {
    traces: Arc<Traces>,
    trusted_proxies: Vec<IpNet>,
}

impl RequestSpan {
    pub fn new(app: &App) -> Self {
        Self { traces: app.traces.clone(), trusted_proxies: app.settings.server.trusted_proxies.clone() }
    }

    /// The span of a request for the log, and its span for the collector unless its route is a frequent one.
    fn begin(&self, request: &Request) -> (Span, Option<TracedRequest>) {
        let id = request.extensions().get::<RequestId>().copied().unwrap_or_default();
        let (method, route) = (request.method(), route::name(request.extensions().get::<MatchedPath>()));
        if route::is_frequent(route) {
            return (tracing::debug_span!("http", request = %id, %method, route), None);
        }
        let traced = self.traces.begin(route::method(method).as_str(), route, self.caller(request));
        let trace = traced.parent().map(|parent| parent.trace());
        (tracing::info_span!("http", request = %id, %method, route, trace), Some(traced))
    }

    /// What the request says of its trace, and whether a proxy says it that is trusted.
    fn caller(&self, request: &Request) -> CallerTrace {
        let Some(place) = place(request.headers()) else { return CallerTrace::Absent };
        if client::is_in(&self.trusted_proxies, &client::peer(request.extensions())) {
            CallerTrace::Trusted(place)
        } else {
            CallerTrace::Untrusted(place)
        }
    }
}

impl Layer for RequestSpan {
    async fn handle(&self, mut request: Box<Request>, next: impl InnerService) -> Response {
        let (span, traced) = self.begin(&request);
        let parent = traced.as_ref().and_then(TracedRequest::parent);
        if let Some(parent) = parent {
            request.extensions_mut().insert(parent);
        }
        let mut response = next.run(request).instrument(span).await;
        if let Some(parent) = parent {
            // For the line of the access log, which is written outside of the span.
            response.extensions_mut().insert(parent);
        }
        if let Some(traced) = traced {
            traced.end(response.status().as_u16());
        }
        response
    }
}

/// The caller's place in a trace, if the request has one header and it is valid.
fn place(headers: &HeaderMap) -> Option<TraceParent> {
    let mut values = headers.get_all(&TRACEPARENT).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    TraceParent::parse(value.to_str().ok()?)
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
