//! Counters by label, each with all its series from the start: a series that appears with its first event hides it from
//! `rate()`.

use super::label::Label;
use prometheus::core::Collector;
use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry, Result};
use std::marker::PhantomData;

/// The upper bounds of the buckets of times, in seconds: from a commit on a fast disk to a receiver's timeout.
pub(super) const TIMES: [f64; 14] =
    [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// A counter for each value of a label.
#[derive(Clone, Debug)]
pub struct Counters<L> {
    by_value: Vec<IntCounter>,
    label: PhantomData<L>,
}

impl<L: Label> Counters<L> {
    pub(super) fn new(registry: &Registry, name: &str, help: &str) -> Result<Self> {
        let family = registered(registry, IntCounterVec::new(Opts::new(name, help), &[L::NAME])?)?;
        let by_value =
            L::ALL.iter().map(|value| family.get_metric_with_label_values(&[*value])).collect::<Result<_>>()?;
        Ok(Self { by_value, label: PhantomData })
    }

    pub fn count(&self, value: L) {
        self.by_value[value.index()].inc();
    }

    pub fn of(&self, value: L) -> u64 {
        self.by_value[value.index()].get()
    }
}

/// A counter for each pair of values of two labels.
#[derive(Clone, Debug)]
pub struct CounterTable<R, C> {
    rows: Vec<Vec<IntCounter>>,
    labels: PhantomData<(R, C)>,
}

impl<R: Label, C: Label> CounterTable<R, C> {
    pub(super) fn new(registry: &Registry, name: &str, help: &str) -> Result<Self> {
        let family = registered(registry, IntCounterVec::new(Opts::new(name, help), &[R::NAME, C::NAME])?)?;
        let row = |row: &&'static str| -> Result<Vec<IntCounter>> {
            C::ALL.iter().map(|column| family.get_metric_with_label_values(&[*row, *column])).collect()
        };
        Ok(Self { rows: R::ALL.iter().map(row).collect::<Result<_>>()?, labels: PhantomData })
    }

    pub fn count(&self, row: R, column: C) {
        self.rows[row.index()][column.index()].inc();
    }
}

pub(super) fn registered<M: Collector + Clone + 'static>(registry: &Registry, metric: M) -> Result<M> {
    registry.register(Box::new(metric.clone()))?;
    Ok(metric)
}

pub(super) fn counter(registry: &Registry, name: &str, help: &str) -> Result<IntCounter> {
    registered(registry, IntCounter::new(name, help)?)
}

pub(super) fn gauge(registry: &Registry, name: &str, help: &str) -> Result<IntGauge> {
    registered(registry, IntGauge::new(name, help)?)
}

pub(super) fn times(registry: &Registry, name: &str, help: &str) -> Result<Histogram> {
    registered(registry, Histogram::with_opts(HistogramOpts::new(name, help).buckets(TIMES.to_vec()))?)
}
