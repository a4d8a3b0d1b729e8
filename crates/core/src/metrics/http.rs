//! HTTP requests, by the pattern of their route, never by their path.

use super::counters::{TIMES, gauge, registered};
use super::label::{Label, label};
use super::tally::Tally;
use crossbeam_utils::CachePadded;
use parking_lot::Mutex;
use prometheus::local::{LocalHistogram, LocalIntCounter};
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, Result};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use thread_local::ThreadLocal;

label! {
    /// The method of a request; a client may send any word as one.
    HttpMethod "method" {
        /// GET.
        Get = "GET",
        /// HEAD.
        Head = "HEAD",
        /// POST.
        Post = "POST",
        /// PUT.
        Put = "PUT",
        /// PATCH.
        Patch = "PATCH",
        /// DELETE.
        Delete = "DELETE",
        /// OPTIONS.
        Options = "OPTIONS",
        /// Any other.
        Other = "other",
    }
}

impl HttpMethod {
    /// Its name in metrics and traces.
    pub fn as_str(self) -> &'static str {
        Self::ALL[self.index()]
    }
}

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

/// Requests of this process. Each thread counts for itself until a scrape: were the counters shared, the processors
/// would pass their cache lines to and fro, which costs `GET /user` a twentieth.
#[derive(Clone, Debug)]
pub struct HttpMetrics {
    families: Families,
    begun: Arc<Tally>,
    in_flight: IntGauge,
    threads: Arc<ThreadLocal<CachePadded<Mutex<ThreadCounts>>>>,
}

#[derive(Clone, Debug)]
struct Families {
    requests: IntCounterVec,
    durations: HistogramVec,
}

/// What a thread has counted since the last scrape, by route and method.
#[derive(Debug, Default)]
struct ThreadCounts {
    /// Since the start.
    ended: u64,
    by_route: HashMap<String, [Option<Box<RouteCounts>>; HttpMethod::ALL.len()]>,
}

#[derive(Debug)]
struct RouteCounts {
    requests: [Option<LocalIntCounter>; StatusClass::ALL.len()],
    durations: LocalHistogram,
}

impl HttpMetrics {
    pub(super) fn new(registry: &Registry) -> Result<Self> {
        let help = "Requests by route, method and class of the status; gone: the client did not wait.";
        let requests = Opts::new("doorward_http_requests_total", help);
        let requests = IntCounterVec::new(requests, &["route", HttpMethod::NAME, StatusClass::NAME])?;
        let help = "Time until a response begins.";
        let durations = HistogramOpts::new("doorward_http_request_duration_seconds", help).buckets(TIMES.to_vec());
        let durations = HistogramVec::new(durations, &["route", HttpMethod::NAME])?;
        let families =
            Families { requests: registered(registry, requests)?, durations: registered(registry, durations)? };
        let help = "Requests that are being answered.";
        let in_flight = gauge(registry, "doorward_http_requests_in_flight", help)?;
        Ok(Self { families, begun: Arc::default(), in_flight, threads: Arc::default() })
    }

    /// Counts a request among those in flight until it has ended.
    pub fn begin(&self) {
        self.begun.count();
    }

    /// Counts a request that was counted by [`HttpMetrics::begin`], perhaps on another thread. `route` is the pattern of
    /// a route: each is a series.
    pub fn end(&self, route: &str, method: HttpMethod, status: StatusClass, elapsed: Duration) {
        let mut counts = self.threads.get_or_default().lock();
        counts.ended += 1;
        counts.count(&self.families, route, method, status, elapsed);
    }

    /// Adds what all threads have counted to what a scrape shows.
    pub(super) fn collect(&self) {
        let mut ended = 0;
        for counts in self.threads.iter() {
            let counts = counts.lock();
            ended += counts.ended;
            counts.flush();
        }
        // Read last: what has ended had begun.
        let in_flight = self.begun.total().saturating_sub(ended);
        self.in_flight.set(i64::try_from(in_flight).unwrap_or(i64::MAX));
    }
}

impl ThreadCounts {
    fn count(&mut self, families: &Families, route: &str, method: HttpMethod, status: StatusClass, elapsed: Duration) {
        let by_method = match self.by_route.get_mut(route) {
            Some(by_method) => by_method,
            None => self.by_route.entry(route.to_owned()).or_default(),
        };
        let counts = by_method[method.index()].get_or_insert_with(|| families.of_route(route, method).into());
        let requests = &mut counts.requests[status.index()];
        requests.get_or_insert_with(|| families.of_status(route, method, status)).inc();
        counts.durations.observe(elapsed.as_secs_f64());
    }

    fn flush(&self) {
        for counts in self.by_route.values().flatten().flatten() {
            counts.requests.iter().flatten().for_each(LocalIntCounter::flush);
            counts.durations.flush();
        }
    }
}

impl Families {
    fn of_route(&self, route: &str, method: HttpMethod) -> RouteCounts {
        let durations = self.durations.with_label_values(&[route, method.as_str()]).local();
        RouteCounts { requests: Default::default(), durations }
    }

    fn of_status(&self, route: &str, method: HttpMethod, status: StatusClass) -> LocalIntCounter {
        self.requests.with_label_values(&[route, method.as_str(), StatusClass::ALL[status.index()]]).local()
    }
}

#[cfg(test)]
#[path = "http_tests.rs"]
mod tests;
