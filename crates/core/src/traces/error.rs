//! What keeps spans from being exported.

/// The address of the collector, as for all programs with OpenTelemetry.
pub(super) const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";

/// Spans cannot be exported; names the variable.
#[derive(Debug, thiserror::Error)]
#[error("{variable}: {reason}")]
pub struct TracesError {
    variable: &'static str,
    reason: String,
}

impl TracesError {
    pub(super) fn new(variable: &'static str, reason: impl Into<String>) -> Self {
        Self { variable, reason: reason.into() }
    }
}
