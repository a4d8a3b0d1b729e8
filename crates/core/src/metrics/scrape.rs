//! The text of a scrape: what was counted, and what is read at that moment.

use super::Metrics;
use super::counters::registered;
use prometheus::{
    Counter, Gauge, IntCounter, IntCounterVec, IntGauge, IntGaugeVec, Opts, Registry, Result, TextEncoder,
};
use std::time::Duration;

/// A scrape under way. Each metric is added once, under one name.
#[derive(Debug, Default)]
pub struct Scrape {
    registry: Registry,
}

impl Scrape {
    pub fn counter(&self, name: &str, help: &str, value: u64) -> Result<()> {
        registered(&self.registry, IntCounter::new(name, help)?)?.inc_by(value);
        Ok(())
    }

    /// Adds counts that only grow, one for each value of a label.
    pub fn counters(&self, name: &str, help: &str, label: &str, values: &[(&str, u64)]) -> Result<()> {
        let family = registered(&self.registry, IntCounterVec::new(Opts::new(name, help), &[label])?)?;
        for (label, value) in values {
            family.get_metric_with_label_values(&[label])?.inc_by(*value);
        }
        Ok(())
    }

    /// Adds a time that only grows.
    pub fn time(&self, name: &str, help: &str, value: Duration) -> Result<()> {
        registered(&self.registry, Counter::new(name, help)?)?.inc_by(value.as_secs_f64());
        Ok(())
    }

    /// Adds a number; one beyond the largest is shown as that.
    pub fn gauge(&self, name: &str, help: &str, value: impl TryInto<i64>) -> Result<()> {
        registered(&self.registry, IntGauge::new(name, help)?)?.set(value.try_into().unwrap_or(i64::MAX));
        Ok(())
    }

    /// Adds numbers, one for each value of a label.
    pub fn gauges(&self, name: &str, help: &str, label: &str, values: &[(&str, u64)]) -> Result<()> {
        let family = registered(&self.registry, IntGaugeVec::new(Opts::new(name, help), &[label])?)?;
        for (label, value) in values {
            family.get_metric_with_label_values(&[label])?.set(i64::try_from(*value).unwrap_or(i64::MAX));
        }
        Ok(())
    }

    /// Adds a time that may shrink.
    pub fn age(&self, name: &str, help: &str, value: Duration) -> Result<()> {
        registered(&self.registry, Gauge::new(name, help)?)?.set(value.as_secs_f64());
        Ok(())
    }

    /// The text, in Prometheus's format 0.0.4.
    pub fn text(&self, metrics: &Metrics) -> Result<String> {
        let mut families = metrics.registry.gather();
        families.extend(self.registry.gather());
        families.sort_by(|a, b| a.name().cmp(b.name()));
        TextEncoder::new().encode_to_string(&families)
    }
}
