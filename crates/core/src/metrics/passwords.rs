//! Password hashes, which bound logins.

use super::counters::{gauge, times};
use prometheus::{Histogram, IntGauge, Registry, Result};
use tokio::time::Instant;

#[derive(Clone, Debug)]
pub struct PasswordMetrics {
    waiting: IntGauge,
    running: IntGauge,
    wait_time: Histogram,
}

/// A caller that waits, which is counted until its hash begins or this is dropped.
#[derive(Debug)]
pub struct WaitingHash {
    metrics: PasswordMetrics,
    since: Instant,
}

/// A hash that runs, which is counted until this is dropped.
#[derive(Debug)]
pub struct RunningHash(IntGauge);

impl PasswordMetrics {
    pub(super) fn new(registry: &Registry) -> Result<Self> {
        let time = "Time until a password hash begins.";
        Ok(Self {
            waiting: gauge(registry, "doorward_password_hashes_waiting", "Callers that wait for a password hash.")?,
            running: gauge(registry, "doorward_password_hashes_running", "Password hashes that run.")?,
            wait_time: times(registry, "doorward_password_hash_wait_seconds", time)?,
        })
    }

    /// Counts a caller that waits from now on.
    pub fn wait(&self) -> WaitingHash {
        self.waiting.inc();
        WaitingHash { metrics: self.clone(), since: Instant::now() }
    }
}

impl WaitingHash {
    pub fn begin(self) -> RunningHash {
        self.metrics.wait_time.observe(self.since.elapsed().as_secs_f64());
        self.metrics.running.inc();
        RunningHash(self.metrics.running.clone())
    }
}

impl Drop for WaitingHash {
    fn drop(&mut self) {
        self.metrics.waiting.dec();
    }
}

impl Drop for RunningHash {
    fn drop(&mut self) {
        self.0.dec();
    }
}
