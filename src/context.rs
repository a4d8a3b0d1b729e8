//! The shared context of a process, for every request, command and background task.

use crate::clock::Clock;
use crate::crypto::access_token::TokenVerifier;
use crate::crypto::hashing_pool::HashingPool;
use crate::crypto::secret_keys::SecretKeys;
use crate::metrics::Metrics;
use crate::model::finding::Finding;
use crate::model::ids::ProcessId;
use crate::model::local_mail::LocalMail;
use crate::oidc::{ProviderClient, ProviderDocuments};
use crate::outbound::SharedExternalClient;
use crate::rate_limit::RateLimiter;
use crate::settings::Settings;
use crate::store::{FailedAttempts, HourlyCounts, LastUse, Store};
use crate::traces::Traces;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::Notify;

/// The shared context of a process. [`boot::app`](crate::boot::app) builds it.
pub struct App {
    pub settings: Settings,
    pub clock: Clock,
    pub store: Store,
    pub secret_keys: SecretKeys,
    /// The threads that hash passwords, with a bounded queue.
    pub passwords: HashingPool,
    /// Asks servers that others name.
    pub external: SharedExternalClient,
    pub provider_documents: ProviderDocuments,
    /// Signs and verifies access tokens.
    pub tokens: TokenVerifier,
    /// Last use of sessions, not written yet.
    pub last_use: LastUse,
    /// Failed attempts not written to the audit log yet.
    pub failed_attempts: FailedAttempts,
    /// What was added to the counts of each hour.
    pub hourly_counts: HourlyCounts,
    /// Counts attempts and refuses those beyond the limits.
    pub rate_limiter: RateLimiter,
    pub metrics: Metrics,
    pub traces: Arc<Traces>,
    /// This process among those of the service.
    pub process: ProcessId,
    /// The settings that were last reported to differ from those of other processes.
    pub reported_differences: Mutex<String>,
    /// What the start found, for administrators.
    pub start_findings: Mutex<Vec<Finding>>,
    pub reset_requested: Notify,
    /// Emails that were delivered to this process, oldest first, where they are not sent.
    pub local_mails: Mutex<VecDeque<LocalMail>>,
    /// Notified when there is another one.
    pub local_mail_arrived: Notify,
    /// Notified when an administrator began a job.
    pub job_begun: Notify,
}

impl App {
    /// Speaks with providers, for a client at this address or for the service itself. Fails where the machine has no
    /// trusted root certificates; the next call tries again.
    pub fn provider_client(&self, from: Option<IpAddr>) -> std::io::Result<ProviderClient<'_>> {
        // Without limits a gateway in front may be the only address there is.
        let external = self.external.get()?.share_of(from.filter(|_| self.settings.server.rate_limit));
        Ok(ProviderClient { external, documents: &self.provider_documents, clock: &self.clock })
    }
}
