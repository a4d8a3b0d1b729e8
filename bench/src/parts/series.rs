//! The rounds of one server, and their medians.

use crate::load::Run;
use crate::stats::median;
use serde::Serialize;

/// The runs of one server, one a round.
#[derive(Default)]
pub struct Series(pub Vec<Run>);

/// The results of a server under load.
#[derive(Default, Serialize)]
pub struct LoadStats {
    pub server: String,
    pub requests_per_second: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    /// Processor time of the server process per response, without its database server.
    pub cpu_us_per_request: f64,
    /// Ratio of responses per second to the bare route's in the same round.
    pub of_bare: f64,
}

impl Series {
    pub fn figures(&self, server: String, bare: &Series) -> LoadStats {
        let runs = &self.0;
        LoadStats {
            server,
            requests_per_second: median(runs.iter().map(|run| run.per_second)),
            p50_ms: median(runs.iter().map(|run| run.p50_ms)),
            p99_ms: median(runs.iter().map(|run| run.p99_ms)),
            cpu_us_per_request: median(runs.iter().map(|run| run.cpu_us)),
            of_bare: median(runs.iter().zip(&bare.0).map(|(run, bare)| run.per_second / bare.per_second)),
        }
    }
}

impl LoadStats {
    pub const COLUMNS: [&str; 6] = ["server", "requests/s", "p50 ms", "p99 ms", "CPU µs/request", "of bare route"];

    pub fn cells(&self) -> Vec<String> {
        vec![
            self.server.clone(),
            format!("{:.0}", self.requests_per_second),
            format!("{:.2}", self.p50_ms),
            format!("{:.2}", self.p99_ms),
            format!("{:.0}", self.cpu_us_per_request),
            format!("{:.2}", self.of_bare),
        ]
    }
}
