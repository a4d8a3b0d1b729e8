//! The clock of the database server, which the processes of a service agree on although their own clocks differ.

use crate::model::finding::FindingCode;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

/// A difference that is worth a warning: more than a machine with NTP ever has.
pub const CLOCK_TOLERANCE: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(super) struct DatabaseClock {
    /// By how much the server's clock is ahead of the process's, in microseconds.
    ahead: AtomicI64,
    warned: AtomicBool,
}

impl DatabaseClock {
    /// By how much the server's clock is ahead of the process's, in microseconds.
    pub(super) fn ahead(&self) -> i64 {
        self.ahead.load(Ordering::Relaxed)
    }

    /// The difference in either direction.
    pub(super) fn difference(&self) -> Duration {
        Duration::from_micros(self.ahead().unsigned_abs())
    }

    /// Records a measurement; logs when it crosses [`CLOCK_TOLERANCE`].
    pub(super) fn set_ahead(&self, ahead: i64) {
        self.ahead.store(ahead, Ordering::Relaxed);
        let differs = self.difference() > CLOCK_TOLERANCE;
        if self.warned.swap(differs, Ordering::Relaxed) == differs {
            return;
        }
        let difference_ms = ahead.abs() / 1000;
        if differs {
            let which = if ahead < 0 { "ahead of" } else { "behind" };
            tracing::warn!(
                target: "doorward::store::database_clock", finding = %FindingCode::ClockDiffers,
                difference_ms,
                "the clock of this machine is {which} the database's: synchronize both, for example with NTP"
            );
        } else {
            tracing::info!(target: "doorward::store::database_clock", difference_ms, "the clock of this machine agrees with the database's");
        }
    }
}
