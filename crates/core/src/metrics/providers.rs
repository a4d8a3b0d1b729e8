//! Logins with providers. Their names are the operator's, of which there are few.

use super::label::{Label, label};
use crate::model::provider::ProviderName;
use prometheus::{IntCounterVec, Opts, Registry, Result};

label! {
    /// How a login with a provider ended, or a step of one.
    ProviderOutcome "outcome" {
        /// The browser was sent to the provider.
        Begun = "begun",
        Opened = "opened",
        SecondFactorNeeded = "second_factor_needed",
        /// The address of the account must be verified first.
        Unverified = "unverified",
        Disabled = "disabled",
        /// A signup waits for the verification of its address.
        Pending = "pending",
        Asked = "asked",
        /// There is no account, and none was made.
        NotAdmitted = "not_admitted",
        Connected = "connected",
        /// It was not, as another account has it, or there are too many.
        NotConnected = "not_connected",
        /// It was refused: an error, a wrong answer, another browser, too late.
        Refused = "refused",
        UnknownState = "unknown_state",
        Limited = "limited",
        /// It failed through no fault of the user.
        Failed = "failed",
    }
}

#[derive(Clone, Debug)]
pub struct ProviderMetrics {
    logins: IntCounterVec,
}

impl ProviderMetrics {
    pub(super) fn new(registry: &Registry) -> Result<Self> {
        let help = "Logins with providers and their steps, by provider and outcome.";
        let opts = Opts::new("doorward_provider_logins_total", help);
        let logins = super::counters::registered(registry, IntCounterVec::new(opts, &["provider", "outcome"])?)?;
        Ok(Self { logins })
    }

    /// Counts one. The name must be that of a record: never what a client sent.
    pub fn count(&self, provider: &ProviderName, outcome: ProviderOutcome) {
        let outcome = ProviderOutcome::ALL.get(outcome.index()).copied().unwrap_or_default();
        self.logins.with_label_values(&[provider.as_str(), outcome]).inc();
    }
}
