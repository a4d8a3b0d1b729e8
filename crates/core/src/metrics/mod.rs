//! What a process counts and times for Prometheus since its start (docs/reference/metrics.md).
//!
//! A series exists for each value of a label, and those are few: routes, methods, outcomes. None is taken from what a
//! client sends. What others know anyhow, such as the connections in use, is read at the scrape: [`Scrape`].

mod auth;
mod counters;
mod delivery;
mod http;
pub mod label;
mod passwords;
mod process;
mod providers;
mod scrape;

pub use auth::{
    ApiKeyResult, AuthMetrics, Factor, FactorResult, GateOutcome, LimitName, LoginMethod, LoginResult, RefreshVerdict,
    SignupResult,
};
pub use counters::{CounterTable, Counters};
pub use delivery::DeliveryMetrics;
pub use http::{CountedConnection, HttpMethod, HttpMetrics, StatusClass};
pub use passwords::{PasswordMetrics, RunningHash, WaitingHash};
pub use prometheus::Error as MetricsError;
pub use providers::{ProviderMetrics, ProviderOutcome};
pub use scrape::Scrape;

use parking_lot::Mutex;
use prometheus::Registry;
use std::sync::Arc;

/// The metrics of a process. Clones count together.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Registry,
    pub http: HttpMetrics,
    /// Logins and everything else whose outcome is counted.
    pub auth: AuthMetrics,
    pub passwords: PasswordMetrics,
    pub providers: ProviderMetrics,
    channels: Arc<Mutex<Vec<ChannelMetrics>>>,
}

#[derive(Debug)]
struct ChannelMetrics {
    channel: String,
    metrics: Arc<DeliveryMetrics>,
}

/// How deliveries of a channel ended since the start of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndedDeliveries {
    pub delivered: u64,
    pub failed: u64,
}

impl Metrics {
    /// All zero. Fails only if two metrics have one name.
    pub fn new() -> Result<Self, MetricsError> {
        let registry = Registry::new();
        Ok(Self {
            http: HttpMetrics::new(&registry)?,
            auth: AuthMetrics::new(&registry)?,
            passwords: PasswordMetrics::new(&registry)?,
            providers: ProviderMetrics::new(&registry)?,
            channels: Arc::default(),
            registry,
        })
    }

    /// Those of a delivery channel, of which one delivery and many are called so; `classes` are those of its attempts.
    pub fn delivery(&self, names: (&str, &str), classes: &[&str]) -> Result<Arc<DeliveryMetrics>, MetricsError> {
        let metrics = DeliveryMetrics::new(&self.registry, names, classes).map(Arc::new)?;
        self.channels.lock().push(ChannelMetrics { channel: names.0.to_owned(), metrics: metrics.clone() });
        Ok(metrics)
    }

    /// How deliveries of a channel ended; none where it is not enabled.
    pub fn delivered(&self, channel: &str) -> EndedDeliveries {
        let channels = self.channels.lock();
        let found = channels.iter().find(|of| of.channel == channel).map(|of| &of.metrics);
        found.map_or_else(EndedDeliveries::default, |metrics| EndedDeliveries {
            delivered: metrics.delivered.get(),
            failed: metrics.failed.get(),
        })
    }
}
