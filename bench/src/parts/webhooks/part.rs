//! The parts of the measurement of webhooks.

use clap::ValueEnum;

/// What is measured of the delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Events per second, against two limits.
    Rates,
    /// How soon an event arrives.
    Idle,
    /// What webhooks cost a signup.
    SignUps,
    /// A claim beside many rows.
    Growth,
    /// A claim during the clean-up.
    CleanUp,
}
