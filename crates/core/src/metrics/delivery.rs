//! What the workers of a channel have done.

use super::counters::{counter, registered, times};
use prometheus::{Histogram, IntCounter, IntCounterVec, Opts, Registry, Result};

/// What the workers of a channel have done since the start of this process.
#[derive(Debug)]
pub struct DeliveryMetrics {
    /// Searches of the outbox for what is due.
    pub polls: IntCounter,
    pub delivered: IntCounter,
    /// Attempts that failed and will be retried.
    pub retried: IntCounter,
    pub failed: IntCounter,
    /// Claims that were lost before their outcome was recorded; nothing was changed for them.
    pub lost_leases: IntCounter,
    /// Claims, of any process, that expired and were taken back.
    pub reaped: IntCounter,
    /// Finished deliveries that were removed for their age.
    pub cleaned: IntCounter,
    pub delivery_time: Histogram,
    /// The duration of claims that took something.
    pub claim_time: Histogram,
    attempts: IntCounterVec,
}

impl DeliveryMetrics {
    /// All zero. The channel is named by one delivery and by many; `classes` are those that attempts are recorded with.
    pub(super) fn new(registry: &Registry, (one, many): (&str, &str), classes: &[&str]) -> Result<Self> {
        let count = |what: &str, help| counter(registry, &format!("doorward_{one}_{what}_total"), help);
        let time = |what: &str, help| times(registry, &format!("doorward_{one}_{what}_seconds"), help);
        let help = format!("Attempts to deliver {many}, by outcome.");
        let attempts = IntCounterVec::new(Opts::new(format!("doorward_{one}_attempts_total"), help), &["outcome"])?;
        for class in classes {
            attempts.get_metric_with_label_values(&[*class])?;
        }
        Ok(Self {
            polls: count("polls", "Searches of the outbox for what is due.")?,
            delivered: count("delivered", "Deliveries that arrived.")?,
            retried: count("retried", "Attempts that will be repeated.")?,
            failed: count("failed", "Deliveries that were given up.")?,
            lost_leases: count("lost_leases", "Claims that were lost before their outcome was recorded.")?,
            reaped: count("reaped", "Claims that ran out and were taken back.")?,
            cleaned: count("cleaned", "Finished deliveries that were removed for their age.")?,
            delivery_time: time("delivery", "Duration of an attempt.")?,
            claim_time: time("claim", "Duration of a claim that took something.")?,
            attempts: registered(registry, attempts)?,
        })
    }

    /// Counts an attempt whose outcome was recorded.
    pub fn count_attempt(&self, class: &'static str) {
        self.attempts.with_label_values(&[class]).inc();
    }
}
