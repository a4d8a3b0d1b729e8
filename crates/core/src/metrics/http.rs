//! HTTP requests, by the pattern of their route, never by their path.

use super::counters::{TIMES, gauge, registered};
use super::label::{Label, label};
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, Result};
use std::time::Duration;

label! {
    /// The method of a request; a client may send any word as one.
    HttpMethod "method" {
        Get = "GET",
        Head = "HEAD",
        Post = "POST",
        Put = "PUT",
        Patch = "PATCH",
        Delete = "DELETE",
        Options = "OPTIONS",
        Other = "other",
    }
}

impl HttpMethod {
    pub fn as_str(self) -> &'static str {
        Self::ALL[self.index()]
    }
}

label! {
    StatusClass "status" {
        /// Anything below 200 or beyond 599.
        Other = "other",
        Success = "2xx",
        Redirect = "3xx",
        ClientError = "4xx",
        ServerError = "5xx",
        /// The client left before the response.
        Gone = "gone",
    }
}

impl StatusClass {
    pub fn of(status: u16) -> Self {
        match status / 100 {
            2 => StatusClass::Success,
            3 => StatusClass::Redirect,
            4 => StatusClass::ClientError,
            5 => StatusClass::ServerError,
            _ => StatusClass::Other,
        }
    }
}

#[derive(Clone, Debug)]
pub struct HttpMetrics {
    requests: IntCounterVec,
    durations: HistogramVec,
    in_flight: IntGauge,
    connections: IntGauge,
    connections_limit: IntGauge,
}

/// A connection of a client, which is counted until this is dropped.
#[derive(Debug)]
pub struct CountedConnection(IntGauge);

impl Drop for CountedConnection {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl HttpMetrics {
    pub(super) fn new(registry: &Registry) -> Result<Self> {
        let help = "Requests by route, method and class of the status; gone: the client did not wait.";
        let requests = Opts::new("doorward_http_requests_total", help);
        let requests = IntCounterVec::new(requests, &["route", HttpMethod::NAME, StatusClass::NAME])?;
        let help = "Time until a response begins.";
        let durations = HistogramOpts::new("doorward_http_request_duration_seconds", help).buckets(TIMES.to_vec());
        let durations = HistogramVec::new(durations, &["route", HttpMethod::NAME])?;
        let help = "Requests that are being answered.";
        let in_flight = gauge(registry, "doorward_http_requests_in_flight", help)?;
        let help = "Connections of clients that are open.";
        let connections = gauge(registry, "doorward_http_connections_open", help)?;
        let help = "Connections of clients that may be open; at the limit, further clients wait.";
        let connections_limit = gauge(registry, "doorward_http_connections_limit", help)?;
        let (requests, durations) = (registered(registry, requests)?, registered(registry, durations)?);
        Ok(Self { requests, durations, in_flight, connections, connections_limit })
    }

    /// Says how many connections may be open.
    pub fn limit_connections(&self, limit: usize) {
        self.connections_limit.set(i64::try_from(limit).unwrap_or(i64::MAX));
    }

    pub fn connect(&self) -> CountedConnection {
        self.connections.inc();
        CountedConnection(self.connections.clone())
    }

    /// Counts a request among those in flight until it has ended.
    pub fn begin(&self) {
        self.in_flight.inc();
    }

    /// Counts a request that was counted by [`HttpMetrics::begin`]. `route` is the pattern of a route: each is a series.
    pub fn end(&self, route: &str, method: HttpMethod, status: StatusClass, elapsed: Duration) {
        self.in_flight.dec();
        self.requests.with_label_values(&[route, method.as_str(), StatusClass::ALL[status.index()]]).inc();
        self.durations.with_label_values(&[route, method.as_str()]).observe(elapsed.as_secs_f64());
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
