//! Webhooks: whom to tell of events, and how patiently.

use crate::domain::events::EventKinds;
use secrecy::SecretString;
use std::time::Duration;

/// Webhooks: whom to tell of events, and how patiently (interface.md 4.5, contract.md 2).
#[derive(Debug)]
pub struct Webhooks {
    /// The receiver, without user name and password.
    pub url: hyper::Uri,
    /// The value of the `Authorization` header, from the URL's user name and password.
    pub authorization: Option<SecretString>,
    /// The secret that signs.
    pub secret: SecretString,
    /// During a change of secret: also signs the `webhook-signature` header.
    pub secret_previous: Option<SecretString>,
    /// The kinds that are stored and sent.
    pub enabled_events: EventKinds,
    /// HTTP timeout of one delivery; shorter than `processing_stale_after`.
    pub timeout: Duration,
    /// How many events are delivered concurrently.
    pub worker_count: usize,
    /// Bound on all attempts, the first included.
    pub max_delivery_attempts: u32,
    /// Age after which a processing event is stale.
    pub processing_stale_after: Duration,
    /// How often stale events are restored.
    pub stale_reaper_interval: Duration,
    /// How long delivered events are kept.
    pub delivered_retention: Duration,
    /// How long failed events are kept.
    pub failed_retention: Duration,
    /// How often finished events are cleaned up.
    pub cleanup_interval: Duration,
    /// Most events removed in one batch.
    pub maintenance_batch_size: u32,
    /// Delays before attempt 2, 3, …; the last repeats. Never empty.
    pub retry_delays: Vec<Duration>,
}
