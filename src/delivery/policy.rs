//! The limits, timeouts and retentions of a channel.

use crate::settings::{SmtpSettings, WebhookSettings};
use crate::store::Channel;
use std::time::Duration;

/// The most attempts of a channel that may be in progress at once.
const MAX_SLOTS: usize = 4096;
/// The number of emails that are sent at once, each over its own connection.
const MAIL_SLOTS: usize = 4;
/// How often an idle claimer looks for what other processes queued, where nothing wakes it.
pub(super) const POLL_INTERVAL: Duration = Duration::from_secs(1);
const LOCAL_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest that an attempt to send an email takes, in timeouts of one reply: connection, TLS, authentication,
/// sender, recipient, and the email itself, whose reply has a longer timeout.
const MAIL_TIMEOUT_FACTOR: u32 = 12;

/// The limits, timeouts and retentions of a channel.
#[derive(Debug)]
pub(super) struct DeliveryPolicy {
    pub(super) channel: Channel,
    /// The number of attempts that may be in progress at once.
    pub(super) slots: usize,
    pub(super) timeout: Duration,
    /// The number of attempts, the first included.
    pub(super) max_attempts: u32,
    /// The age at which a claim is stale; longer than `timeout`.
    pub(super) stale_after: Duration,
    /// How often stale claims are taken back.
    pub(super) reaper_interval: Duration,
    pub(super) delivered_retention: Duration,
    pub(super) failed_retention: Duration,
    pub(super) cleanup_interval: Duration,
    /// The most that are removed in one batch.
    pub(super) cleanup_batch: u32,
}

impl DeliveryPolicy {
    pub(super) fn webhooks(settings: &WebhookSettings) -> Self {
        Self {
            channel: Channel::Webhook,
            slots: settings.worker_count.clamp(1, MAX_SLOTS),
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

    pub(super) fn mail(smtp: &SmtpSettings) -> Self {
        Self::of_mail(smtp.timeout * MAIL_TIMEOUT_FACTOR)
    }

    /// Of emails that this process delivers to itself.
    pub(super) fn local_mail() -> Self {
        Self::of_mail(LOCAL_TIMEOUT)
    }

    fn of_mail(timeout: Duration) -> Self {
        Self {
            channel: Channel::Mail,
            slots: MAIL_SLOTS,
            timeout,
            max_attempts: MAX_MAIL_ATTEMPTS,
            stale_after: timeout + Duration::from_mins(1),
            reaper_interval: Duration::from_mins(1),
            delivered_retention: Duration::from_hours(7 * 24),
            failed_retention: Duration::from_hours(30 * 24),
            cleanup_interval: Duration::from_hours(1),
            cleanup_batch: 1000,
        }
    }
}

/// The number of attempts to send an email, the first included.
pub(super) const MAX_MAIL_ATTEMPTS: u32 = 13;
