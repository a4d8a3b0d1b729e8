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
pub use http::{HttpMethod, HttpMetrics, StatusClass};
pub use passwords::{PasswordMetrics, RunningHash, WaitingHash};
pub use prometheus::Error as MetricsError;
pub use providers::{ProviderMetrics, ProviderOutcome};
pub use scrape::Scrape;

use prometheus::Registry;
use std::sync::Arc;

/// The metrics of a process. Clones count together.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Registry,
    /// HTTP requests.
    pub http: HttpMetrics,
    /// Logins and everything else whose outcome is counted.
    pub auth: AuthMetrics,
    /// Password hashes.
    pub passwords: PasswordMetrics,
    /// Logins with providers.
    pub providers: ProviderMetrics,
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
            registry,
        })
    }

    /// Those of a delivery channel, of which one delivery and many are called so; `classes` are those of its attempts.
    pub fn delivery(&self, names: (&str, &str), classes: &[&str]) -> Result<Arc<DeliveryMetrics>, MetricsError> {
        DeliveryMetrics::new(&self.registry, names, classes).map(Arc::new)
    }
}
