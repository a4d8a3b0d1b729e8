//! The span of a request: every line that is logged within carries its id, method and route, and its trace if there is one.

use super::route;
use crate::http::client;
use crate::http::request_id::RequestId;
use crate::model::trace::{CallerTrace, TraceParent};
use crate::traces::{TracedRequest, Traces};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName};
use axum::response::Response;
use ipnet::IpNet;
use tracing::{Instrument, Span};

/// W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The span of a request for the log, and its span for the collector unless its route is a frequent one. Costs nothing
/// where its level is off: frequent routes have their span at `debug`.
pub struct RequestSpan {
    span: Span,
    traced: Option<TracedRequest>,
}

impl RequestSpan {
    /// Begins the span; what happens within finds its place in the trace in the request's extensions.
    pub fn begin(traces: &Traces, proxies: &[IpNet], request: &mut Request, id: RequestId) -> Self {
        let (method, route) = (request.method(), route::name(request.extensions().get::<MatchedPath>()));
        if route::is_frequent(route) {
            return Self { span: tracing::debug_span!("http", request = %id, %method, route), traced: None };
        }
        let begun = traces.begin(route::method(method).as_str(), route, caller(proxies, request));
        let parent = begun.parent();
        let span =
            tracing::info_span!("http", request = %id, %method, route, trace = parent.map(|parent| parent.trace()));
        if let Some(parent) = parent {
            request.extensions_mut().insert(parent);
        }
        Self { span, traced: Some(begun) }
    }

    /// What is done for the request has this parent.
    pub fn parent(&self) -> Option<TraceParent> {
        self.traced.as_ref().and_then(TracedRequest::parent)
    }

    /// Answers within the span, and ends it.
    pub async fn around(self, answering: impl Future<Output = Response>) -> Response {
        let mut response = answering.instrument(self.span).await;
        if let Some(traced) = self.traced {
            if let Some(parent) = traced.parent() {
                // For the line of the access log, which is written outside of the span.
                response.extensions_mut().insert(parent);
            }
            traced.end(response.status().as_u16());
        }
        response
    }
}

/// What the request says of its trace, and whether a proxy says it that is trusted.
fn caller(proxies: &[IpNet], request: &Request) -> CallerTrace {
    let Some(place) = place(request.headers()) else { return CallerTrace::Absent };
    if client::is_in(proxies, &client::peer(request.extensions())) {
        CallerTrace::Trusted(place)
    } else {
        CallerTrace::Untrusted(place)
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
