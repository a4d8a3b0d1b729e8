//! What a soak leaves for its report.

use super::schedule::Window;
use super::traffic::OpenLoop;
use crate::instance::Engine;
use std::time::Duration;

/// A finished run.
pub struct Run {
    /// The database.
    pub engine: Engine,
    /// What the choices derive from.
    pub seed: u64,
    /// How long the load lasted.
    pub length: Duration,
    /// Actions per second that were possible.
    pub capacity: f64,
    /// Actions per second of the load.
    pub rate: f64,
    /// How the load was kept up.
    pub open: OpenLoop,
    /// When faults were injected.
    pub windows: Vec<Window>,
    /// The deliveries at the end.
    pub outbox: OutboxCounts,
}

/// Deliveries in the outbox without success.
#[derive(Clone, Copy, Default)]
pub struct OutboxCounts {
    /// Those to come.
    pub waiting: i64,
    /// Those that were given up.
    pub failed: i64,
}
