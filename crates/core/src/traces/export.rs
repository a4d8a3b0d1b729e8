//! Spans for a collector, in batches from a thread of their own: a collector that is away costs no request anything, and
//! what does not fit into the queue is dropped.

use super::collector::Collector;
use super::error::{ENDPOINT, TracesError};
use crate::model::trace::{CallerTrace, TraceParent};
use opentelemetry::trace::{
    Link, Span as _, SpanContext, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceState, Tracer as _,
    TracerProvider as _,
};
use opentelemetry::{Context, KeyValue, SpanId, TraceId};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, Span};
use std::time::Duration;

const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
/// At shutdown, what was not sent yet has this time.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) struct Exporter {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

/// A span that has begun. Dropped, it ends too.
pub(super) struct OpenSpan(Span);

impl Exporter {
    pub(super) fn start() -> Result<Self, TracesError> {
        if let Ok(protocol) = std::env::var(PROTOCOL)
            && protocol != "http/protobuf"
        {
            let reason = format!("{protocol} is not supported; http/protobuf is, by default on port 4318");
            return Err(TracesError::new(PROTOCOL, reason));
        }
        let collector = Collector::new().map_err(|error| TracesError::new(ENDPOINT, error.to_string()))?;
        let exporter = SpanExporter::builder().with_http().with_http_client(collector).build();
        let exporter = exporter.map_err(|error| TracesError::new(ENDPOINT, error.to_string()))?;
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build();
        Ok(Self { tracer: provider.tracer("doorward"), provider })
    }

    pub(super) fn begin(&self, method: &str, route: &str, caller: CallerTrace) -> OpenSpan {
        let remote = |place| Context::new().with_remote_span_context(span_context(place));
        let parent = caller.parent().map_or_else(Context::new, remote);
        let links = caller.link().map(|place| Link::with_context(span_context(place)));
        // The names of OpenTelemetry's semantic conventions for HTTP.
        let attributes =
            [KeyValue::new("http.request.method", method.to_owned()), KeyValue::new("http.route", route.to_owned())];
        let span = self.tracer.span_builder(format!("{method} {route}"));
        let span = span.with_kind(SpanKind::Server).with_attributes(attributes).with_links(links.into_iter().collect());
        OpenSpan(self.tracer.build_with_context(span, &parent))
    }

    pub(super) async fn stop(&self) {
        let provider = self.provider.clone();
        // It waits for its thread.
        let stopped = tokio::task::spawn_blocking(move || provider.shutdown_with_timeout(STOP_TIMEOUT)).await;
        if !matches!(stopped, Ok(Ok(()))) {
            tracing::debug!(target: "doorward::traces::export", "the last traces were not sent");
        }
    }
}

impl OpenSpan {
    pub(super) fn parent(&self) -> TraceParent {
        let context = self.0.span_context();
        TraceParent {
            trace_id: u128::from_be_bytes(context.trace_id().to_bytes()),
            span_id: u64::from_be_bytes(context.span_id().to_bytes()),
            sampled: context.is_sampled(),
        }
    }

    pub(super) fn end(mut self, status: u16) {
        self.0.set_attribute(KeyValue::new("http.response.status_code", i64::from(status)));
        if status >= 500 {
            self.0.set_status(Status::error(""));
        }
        self.0.end();
    }
}

fn span_context(caller: TraceParent) -> SpanContext {
    let flags = if caller.sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let (trace, span) = (TraceId::from(caller.trace_id), SpanId::from(caller.span_id));
    SpanContext::new(trace, span, flags, true, TraceState::default())
}

/// What the spans are of. The operator may name it otherwise.
fn resource() -> Resource {
    let builder = Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
    let is_named = |variable: &str, part: &str| std::env::var(variable).is_ok_and(|value| value.contains(part));
    if is_named(SERVICE_NAME, "") || is_named("OTEL_RESOURCE_ATTRIBUTES", "service.name=") {
        return builder.build();
    }
    builder.with_service_name("doorward").build()
}
