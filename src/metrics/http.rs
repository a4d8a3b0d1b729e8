//! HTTP requests, by the pattern of their route, never by their path.

use super::counters::{TIMES, gauge, registered};
use super::label::{Label, label};
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, Result};
use std::time::Duration;

label! {
    /// The class of a response's status.
    StatusClass "status" {
        /// Anything below 200 or beyond 599.
        Other = "other",
        /// 200 to 299.
        Success = "2xx",
        /// 300 to 399.
        Redirect = "3xx",
        /// 400 to 499.
        ClientError = "4xx",
        /// 500 to 599.
        ServerError = "5xx",
        /// The client left before the response.
        Gone = "gone",
    }
}

impl StatusClass {
    /// The class of a status code.
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

/// Requests of this process.
#[derive(Clone, Debug)]
pub struct HttpMetrics {
    requests: IntCounterVec,
    durations: HistogramVec,
    in_flight: IntGauge,
}

impl HttpMetrics {
    pub(super) fn new(registry: &Registry) -> Result<Self> {
        let help = "Requests by route, method and class of the status; gone: the client did not wait.";
        let requests = Opts::new("doorward_http_requests_total", help);
        let help = "Time until a response begins.";
        let durations = HistogramOpts::new("doorward_http_request_duration_seconds", help).buckets(TIMES.to_vec());
        let help = "Requests that are being answered.";
        Ok(Self {
            requests: registered(registry, IntCounterVec::new(requests, &["route", "method", StatusClass::NAME])?)?,
            durations: registered(registry, HistogramVec::new(durations, &["route", "method"])?)?,
            in_flight: gauge(registry, "doorward_http_requests_in_flight", help)?,
        })
    }

    /// Counts a request among those in flight until it has ended.
    pub fn begin(&self) {
        self.in_flight.inc();
    }

    /// Counts a request that was counted by [`HttpMetrics::begin`]. `route` is the pattern of a route, and `method` one
    /// of a few: each pair is a series.
    pub fn end(&self, route: &str, method: &str, status: StatusClass, elapsed: Duration) {
        self.in_flight.dec();
        self.requests.with_label_values(&[route, method, StatusClass::ALL[status.index()]]).inc();
        self.durations.with_label_values(&[route, method]).observe(elapsed.as_secs_f64());
    }
}
