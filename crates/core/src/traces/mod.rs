//! Traces: the place of a request in its caller's trace, and the spans that are sent to a collector.
//!
//! Each request has one span, in the trace of its caller if a trusted proxy names it; the webhooks of its events carry the
//! span on. Without a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`) there are no spans, and the webhooks carry on what that
//! proxy sent. Requests that come all the time have no span: a stranger could fill the collector with them.

#[cfg(feature = "otlp")]
mod collector;
mod error;
#[cfg(feature = "otlp")]
mod export;

pub use error::TracesError;

use crate::model::trace::{CallerTrace, TraceParent};
use error::ENDPOINT;
#[cfg(feature = "otlp")]
use export::{Exporter, OpenSpan};
#[cfg(feature = "otlp")]
use std::sync::OnceLock;

#[derive(Default)]
pub struct Traces {
    #[cfg(feature = "otlp")]
    exporter: OnceLock<Exporter>,
}

pub struct TracedRequest {
    parent: Option<TraceParent>,
    #[cfg(feature = "otlp")]
    span: Option<Box<OpenSpan>>,
}

impl Traces {
    /// Exports spans from now on, if the environment names a collector.
    pub fn start(&self) -> Result<(), TracesError> {
        if std::env::var_os(ENDPOINT).is_none_or(|endpoint| endpoint.is_empty()) {
            return Ok(());
        }
        #[cfg(not(feature = "otlp"))]
        return Err(TracesError::new(ENDPOINT, "this build exports no traces: its feature otlp is off"));
        #[cfg(feature = "otlp")]
        {
            // The service of a process starts once.
            let _ = self.exporter.set(Exporter::start()?);
            Ok(())
        }
    }

    /// Begins the span of a request, in the trace of its caller if that is trusted.
    #[cfg(feature = "otlp")]
    pub fn begin(&self, method: &str, route: &str, caller: CallerTrace) -> TracedRequest {
        let span = self.exporter.get().map(|exporter| Box::new(exporter.begin(method, route, caller)));
        TracedRequest { parent: caller.parent(), span }
    }

    /// Keeps the caller: this build has no spans.
    #[cfg(not(feature = "otlp"))]
    pub fn begin(&self, _method: &str, _route: &str, caller: CallerTrace) -> TracedRequest {
        TracedRequest { parent: caller.parent() }
    }

    /// Sends what was not sent yet, for a short time.
    #[cfg_attr(not(feature = "otlp"), expect(clippy::unused_async, reason = "there is nothing to send"))]
    pub async fn stop(&self) {
        #[cfg(feature = "otlp")]
        if let Some(exporter) = self.exporter.get() {
            exporter.stop().await;
        }
    }
}

impl TracedRequest {
    /// What is done for the request has this parent.
    pub fn parent(&self) -> Option<TraceParent> {
        #[cfg(feature = "otlp")]
        if let Some(span) = &self.span {
            return Some(span.parent());
        }
        self.parent
    }

    /// Ends the span. One that is dropped instead has no status.
    pub fn end(self, status: u16) {
        #[cfg(feature = "otlp")]
        if let Some(span) = self.span {
            span.end(status);
        }
        #[cfg(not(feature = "otlp"))]
        let _ = status;
    }
}
