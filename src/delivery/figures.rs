//! Counts and times for the metrics listener.

use super::histogram::Histogram;
use crate::delivery::Counter;

/// What this process has done with deliveries since its start.
#[derive(Debug)]
pub struct Figures {
    /// Attempts that arrived.
    pub delivered: Counter,
    /// Attempts that did not, and will be repeated.
    pub retried: Counter,
    /// Deliveries that were given up.
    pub failed: Counter,
    /// Claims that were lost before their outcome was written; nothing was changed for them.
    pub lost_leases: Counter,
    /// Claims, of any process, that ran out and were taken back.
    pub reaped: Counter,
    /// Finished deliveries that were removed for their age.
    pub cleaned: Counter,
    /// Attempts whose outcome was written, by its class.
    pub attempts: Outcomes,
    /// How long attempts took.
    pub delivery_time: Histogram,
    /// How long it took to claim what was due, if anything was.
    pub claim_time: Histogram,
}

impl Figures {
    /// None yet; `classes` are those that attempts are recorded with.
    pub(super) fn new(classes: &'static [&'static str]) -> Self {
        Self {
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
