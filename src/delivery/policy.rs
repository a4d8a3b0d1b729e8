//! How patiently the deliveries of a channel are made.

use crate::settings::{Smtp, Webhooks};
use crate::store::Channel;
use std::time::Duration;

/// Most deliveries of a channel that may be under way at once.
const MOST_SLOTS: usize = 4096;
/// As many mails are handed over at once, each over a connection of its own.
const MAIL_SLOTS: usize = 4;
/// So long, in timeouts of one answer, an attempt to hand over a mail takes at most: connection, TLS, log-in, sender,
/// recipient, and the mail itself, for whose answer there is more patience.
const MAIL_STEPS: u32 = 12;

/// How patiently the deliveries of a channel are made.
#[derive(Debug)]
pub(super) struct Policy {
    /// Whose deliveries.
    pub(super) channel: Channel,
    /// How many may be under way at once.
    pub(super) slots: usize,
    /// The longest that one attempt takes.
    pub(super) timeout: Duration,
    /// Bound on all attempts, the first included.
    pub(super) max_attempts: u32,
    /// Age after which a claim is stale; longer than `timeout`.
    pub(super) stale_after: Duration,
    /// How often stale claims are taken back.
    pub(super) reaper_interval: Duration,
    /// How long deliveries that arrived are kept.
    pub(super) delivered_retention: Duration,
    /// How long deliveries that were given up are kept.
    pub(super) failed_retention: Duration,
    /// How often finished deliveries are removed.
    pub(super) cleanup_interval: Duration,
    /// Most that are removed in one batch.
    pub(super) cleanup_batch: u32,
}

impl Policy {
    /// What the settings say.
    pub(super) fn webhooks(settings: &Webhooks) -> Self {
        Self {
            channel: Channel::Webhook,
            slots: settings.worker_count.clamp(1, MOST_SLOTS),
            timeout: settings.timeout,
            max_attempts: settings.max_delivery_attempts,
            stale_after: settings.processing_stale_after,
            reaper_interval: settings.stale_reaper_interval,
            delivered_retention: settings.delivered_retention,
            failed_retention: settings.failed_retention,
            cleanup_interval: settings.cleanup_interval,
            cleanup_batch: settings.maintenance_batch_size,
        }
    }

    /// Fixed, but for the timeout: nobody has asked for more.
    pub(super) fn mail(smtp: &Smtp) -> Self {
        let timeout = smtp.timeout * MAIL_STEPS;
        Self {
            channel: Channel::Mail,
            slots: MAIL_SLOTS,
            timeout,
            max_attempts: super::policy::MAX_ATTEMPTS,
            stale_after: timeout + Duration::from_mins(1),
            reaper_interval: Duration::from_mins(1),
            delivered_retention: Duration::from_hours(7 * 24),
            failed_retention: Duration::from_hours(30 * 24),
            cleanup_interval: Duration::from_hours(1),
            cleanup_batch: 1000,
        }
    }
}

/// All attempts, the first included.
pub(super) const MAX_ATTEMPTS: u32 = 13;
