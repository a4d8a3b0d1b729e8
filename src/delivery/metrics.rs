//! Counts and times for the metrics listener.

use super::histogram::Histogram;
use crate::delivery::Counter;

/// What the workers of a channel have done since the start of this process.
#[derive(Debug)]
pub struct DeliveryMetrics {
    /// Searches of the outbox for what is due.
    pub polls: Counter,
    /// Deliveries that arrived.
    pub delivered: Counter,
    /// Attempts that failed and will be retried.
    pub retried: Counter,
    /// Deliveries that failed.
    pub failed: Counter,
    /// Claims that were lost before their outcome was recorded; nothing was changed for them.
    pub lost_leases: Counter,
    /// Claims, of any process, that expired and were taken back.
    pub reaped: Counter,
    /// Finished deliveries that were removed for their age.
    pub cleaned: Counter,
    /// Attempts whose outcome was recorded, by its class.
    pub attempts: Outcomes,
    /// The duration of attempts.
    pub delivery_time: Histogram,
    /// The duration of claims that took something.
    pub claim_time: Histogram,
}

impl DeliveryMetrics {
    /// All zero; `classes` are those that attempts are recorded with.
    pub(super) fn new(classes: &'static [&'static str]) -> Self {
        Self {
            polls: Counter::default(),
            delivered: Counter::default(),
            retried: Counter::default(),
            failed: Counter::default(),
            lost_leases: Counter::default(),
            reaped: Counter::default(),
            cleaned: Counter::default(),
            attempts: Outcomes(classes.iter().map(|class| (*class, Counter::default())).collect()),
            delivery_time: Histogram::default(),
            claim_time: Histogram::default(),
        }
    }
}

/// Attempts by the class of their outcome.
#[derive(Debug)]
pub struct Outcomes(Vec<(&'static str, Counter)>);

impl Outcomes {
    /// Each class with its count.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().map(|(class, count)| (*class, count.get()))
    }

    pub(super) fn add(&self, class: &str) {
        if let Some((_, count)) = self.0.iter().find(|(known, _)| *known == class) {
            count.add(1);
        }
    }
}
