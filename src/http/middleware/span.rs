//! The span of a request: every line that is logged within carries its id, method and route, and its caller's trace.

use super::layer::{InnerService, Layer};
use super::route;
use crate::context::App;
use crate::http::request_id::RequestId;
use crate::model::trace::TraceParent;
use crate::traces::Traces;
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, HeaderName};
use axum::response::Response;
use std::sync::Arc;
use tracing::Instrument;

/// W3C Trace Context.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// Costs nothing where its level is off: frequent routes have their span at `debug`.
pub struct RequestSpan {
    traces: Arc<Traces>,
}

impl RequestSpan {
    /// The layer of a process.
    pub fn new(app: &App) -> Self {
        Self { traces: app.traces.clone() }
    }
}

impl Layer for RequestSpan {
    async fn handle(&self, mut request: Box<Request>, next: impl InnerService) -> Response {
        let id = request.extensions().get::<RequestId>().copied().unwrap_or_default();
        let matched = request.extensions().get::<MatchedPath>().cloned();
        let (method, route) = (request.method().clone(), route::name(matched.as_ref()));
        let mut traced = None;
        let span = if route::is_frequent(route) {
            tracing::debug_span!("http", request = %id, %method, route)
        } else {
            let begun = self.traces.begin(route::method(&method), route, caller(request.headers()));
            let parent = begun.parent();
            if let Some(parent) = parent {
                request.extensions_mut().insert(parent);
            }
            traced = Some(begun);
            let trace = parent.map(|parent| parent.trace());
            tracing::info_span!("http", request = %id, %method, route, trace)
        };
        let response = next.run(request).instrument(span).await;
        if let Some(traced) = traced {
            traced.end(response.status().as_u16());
        }
        response
    }
}

/// The caller's place in a trace, if the request has one header and it is valid.
fn caller(headers: &HeaderMap) -> Option<TraceParent> {
    let mut values = headers.get_all(&TRACEPARENT).iter();
    let (value, None) = (values.next()?, values.next()) else { return None };
    TraceParent::parse(value.to_str().ok()?)
}

#[cfg(test)]
#[path = "span_tests.rs"]
mod tests;
