//! What a soak leaves for its report.

use super::schedule::Window;
use super::traffic::OpenLoop;
use crate::instance::Engine;
use std::time::Duration;

pub struct Run {
    pub engine: Engine,
    pub seed: u64,
    pub length: Duration,
    /// Actions per second that were possible.
    pub capacity: f64,
    /// Actions per second of the load.
    pub rate: f64,
    pub open: OpenLoop,
    pub windows: Vec<Window>,
    pub outbox: OutboxCounts,
}

/// Deliveries in the outbox without success.
#[derive(Clone, Copy, Default)]
pub struct OutboxCounts {
    pub waiting: i64,
    pub failed: i64,
}
