//! The schedule of the faults of a run, which derives from its length and seed.

use crate::world::rng::Rng;
use serde::Serialize;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Responds 204.
    Healthy,
    /// Responds 500.
    ServerError,
    /// Responds 429.
    Overloaded,
    /// Responds 204 after a second.
    Slow,
    /// Does not respond before the service times out.
    Hangs,
    /// Refuses new connections; open ones continue.
    RefusesConnections,
    /// Refuses new connections, and drops the open ones.
    Down,
}

const UNHEALTHY_MODES: [Mode; 6] =
    [Mode::ServerError, Mode::Down, Mode::Slow, Mode::RefusesConnections, Mode::Hangs, Mode::Overloaded];
/// Average time between two unhealthy modes.
const HEALTHY_TIME: Duration = Duration::from_secs(20);
/// Average duration of an unhealthy mode.
const UNHEALTHY_TIME: Duration = Duration::from_secs(6);

/// The receiver's modes and when each begins; healthy for the last tenth of the run.
pub fn modes(length: Duration, seed: u64) -> Vec<(Duration, Mode)> {
    let mut rng = Rng::new(seed);
    let mut modes = Vec::new();
    let mut at = Duration::ZERO;
    for mode in UNHEALTHY_MODES.iter().cycle() {
        at += HEALTHY_TIME.mul_f64(0.5 + rng.fraction());
        let until = at + UNHEALTHY_TIME.mul_f64(0.5 + rng.fraction());
        if until > length.mul_f64(0.9) {
            break;
        }
        modes.extend([(at, *mode), (until, Mode::Healthy)]);
        at = until;
    }
    modes
}

/// When PostgreSQL is restarted, as a share of the length.
pub const RESTART_AT: f64 = 0.35;
/// When a process is killed, as a share of the length.
pub const KILL_AT: f64 = 0.65;
/// Downtime of PostgreSQL, in addition to its stop and start.
pub const RESTART_DOWNTIME: Duration = Duration::from_secs(2);
/// Time until the killed process is started again.
pub const KILL_DOWNTIME: Duration = Duration::from_secs(5);

/// A period in which errors are expected.
#[derive(Clone, Serialize)]
pub struct Window {
    pub what: &'static str,
    /// Since the start of the run.
    pub began: Duration,
    /// After the recovery, with a margin.
    pub ended: Duration,
}

pub fn overlaps(windows: &[Window], from: Duration, until: Duration) -> bool {
    windows.iter().any(|window| from <= window.ended && until >= window.began)
}
