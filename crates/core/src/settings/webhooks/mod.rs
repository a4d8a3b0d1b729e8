//! Webhook settings.

mod secret;
mod target;

use super::name::ServiceName;
use super::problem::InvalidValue;
use super::reader::{Read, Reader, Reported};
use super::spec::section;
use super::{duration, parse};
use crate::model::event::{EventKind, EventKinds};
use crate::model::finding::{Finding, FindingCode};
use secrecy::SecretString;
pub use secret::{InvalidSecret, WebhookSecret};
use std::time::Duration;

/// Webhook settings (`docs/reference/webhooks.md` 13).
#[derive(Debug)]
pub struct WebhookSettings {
    /// The receiver's URL, without username and password.
    pub url: hyper::Uri,
    /// The value of the `Authorization` header, from the URL's username and password.
    pub authorization: Option<SecretString>,
    pub secret: WebhookSecret,
    /// The previous secret during a rotation: it signs the `webhook-signature` header, too.
    pub secret_previous: Option<WebhookSecret>,
    /// The kinds of events that are stored and sent.
    pub enabled_events: EventKinds,
    /// HTTP timeout of one delivery; shorter than `processing_stale_after`.
    pub timeout: Duration,
    pub worker_count: usize,
    /// Maximum number of attempts, including the first.
    pub max_delivery_attempts: u32,
    /// Age after which an event in processing is stale.
    pub processing_stale_after: Duration,
    /// Interval at which stale events are restored.
    pub stale_reaper_interval: Duration,
    pub delivered_retention: Duration,
    pub failed_retention: Duration,
    /// Interval at which finished events are cleaned up.
    pub cleanup_interval: Duration,
    /// Maximum number of events removed in one batch.
    pub maintenance_batch_size: u32,
    /// Delays before attempt 2, 3, …; the last repeats. Never empty.
    pub retry_delays: Vec<Duration>,
}

section! { "Webhooks";
    WEBHOOK_URL: "URL", Unset("no webhooks"), Url,
        "The http:// or https:// endpoint that receives events. Username and password in it become an Authorization: \
        Basic header. Needs SVC_WEBHOOK_SECRET.";
    WEBHOOK_SECRET: "text", Unset("no webhooks"), Secret,
        "Shared secret that signs the requests: whsec_ and base64, which every library of Standard Webhooks accepts, \
        or any text. No blanks or line breaks around it. Needs SVC_WEBHOOK_URL.";
    WEBHOOK_SECRET_PREVIOUS: "text", Unset("none"), Secret,
        "During a rotation, the old secret: it also signs the webhook-signature header.";
    WEBHOOK_ENABLED_EVENTS: "list of event kinds", Unset("all kinds"), Public,
        "Only these kinds of events are stored and sent.";
    WEBHOOK_TIMEOUT: "duration", Fixed("5s"), Public,
        "HTTP timeout of a delivery; shorter than SVC_WEBHOOK_PROCESSING_STALE_AFTER.";
    WEBHOOK_WORKER_COUNT: "number from 1 to 1024", Fixed("2"), Public,
        "Number of events delivered in parallel.";
    WEBHOOK_MAX_DELIVERY_ATTEMPTS: "number", Fixed("3"), Public,
        "Maximum number of attempts to deliver an event, including the first.";
    WEBHOOK_RETRY_DELAYS: "list of durations", Fixed("30s,2m"), Public,
        "Delays before attempt 2, 3 and so on; the last repeats.";
    WEBHOOK_PROCESSING_STALE_AFTER: "duration", Fixed("2m"), Public,
        "Age after which a delivery that never ended counts as lost, and the event is delivered again.";
    WEBHOOK_STALE_REAPER_INTERVAL: "duration", Fixed("1m"), Public,
        "How often to look for lost deliveries.";
    WEBHOOK_DELIVERED_RETENTION: "duration", Fixed("24h"), Public,
        "How long delivered events are kept.";
    WEBHOOK_FAILED_RETENTION: "duration", Fixed("720h"), Public,
        "How long failed events are kept.";
    WEBHOOK_CLEANUP_INTERVAL: "duration", Fixed("1h"), Public,
        "How often to remove delivered and failed events whose retention is over.";
    WEBHOOK_MAINTENANCE_BATCH_SIZE: "number", Fixed("1000"), Public,
        "Maximum number of events removed in one batch.";
}

/// An outage that begins in the evening ends in the morning.
const NIGHT: Duration = Duration::from_hours(8);

impl WebhookSettings {
    /// A shorter outage of the receiver loses no event, as the last attempt comes after it: the sum of the retry delays
    /// before that attempt (`docs/reference/webhooks.md` 13.5).
    pub fn survived_outage(&self) -> Duration {
        let retries = self.max_delivery_attempts.saturating_sub(1);
        let listed = self.retry_delays.iter().take(usize::try_from(retries).unwrap_or(usize::MAX));
        let listed: Duration = listed.fold(Duration::ZERO, |sum, delay| sum.saturating_add(*delay));
        let repeated = retries.saturating_sub(u32::try_from(self.retry_delays.len()).unwrap_or(u32::MAX));
        let last = self.retry_delays.last().copied().unwrap_or_default();
        listed.saturating_add(last.saturating_mul(repeated))
    }

    /// The warning that a night without the receiver loses events, if it does.
    pub fn outage_warning(&self, name: &ServiceName) -> Option<Finding> {
        let survived = self.survived_outage();
        let (attempts, delays) =
            (name.variable(WEBHOOK_MAX_DELIVERY_ATTEMPTS.suffix), name.variable(WEBHOOK_RETRY_DELAYS.suffix));
        let message = format!(
            "Events are dropped if your endpoint is down for more than {}. To cover a night, set {attempts}=12 and \
             {delays}=30s,2m,10m,1h",
            duration::format(survived)
        );
        (survived < NIGHT).then(|| Finding::new(FindingCode::OutageLosesEvents, message))
    }
}

pub(super) fn read(reader: &mut Reader<'_>) -> Read<Option<WebhookSettings>> {
    let target = target::read(reader);
    let enabled_events = reader.optional(&WEBHOOK_ENABLED_EVENTS, enabled_events);
    let timeout = reader.required(&WEBHOOK_TIMEOUT, duration::parse);
    let worker_count = reader.required(&WEBHOOK_WORKER_COUNT, parse::count(1024));
    let max_delivery_attempts = reader.required(&WEBHOOK_MAX_DELIVERY_ATTEMPTS, parse::count(u32::MAX));
    let retry_delays = reader.required(&WEBHOOK_RETRY_DELAYS, retry_delays);
    let processing_stale_after = reader.required(&WEBHOOK_PROCESSING_STALE_AFTER, duration::parse);
    let stale_reaper_interval = reader.required(&WEBHOOK_STALE_REAPER_INTERVAL, duration::parse);
    let delivered_retention = reader.required(&WEBHOOK_DELIVERED_RETENTION, duration::parse);
    let failed_retention = reader.required(&WEBHOOK_FAILED_RETENTION, duration::parse);
    let cleanup_interval = reader.required(&WEBHOOK_CLEANUP_INTERVAL, duration::parse);
    let maintenance_batch_size = reader.required(&WEBHOOK_MAINTENANCE_BATCH_SIZE, parse::count(u32::MAX));
    timeout_before_stale(reader, timeout, processing_stale_after)?;
    let Some(target) = target? else { return Ok(None) };
    Ok(Some(WebhookSettings {
        url: target.url,
        authorization: target.authorization,
        secret: target.secret,
        secret_previous: target.secret_previous,
        enabled_events: enabled_events?.unwrap_or(EventKinds::ALL),
        timeout: timeout?,
        worker_count: worker_count?,
        max_delivery_attempts: max_delivery_attempts?,
        processing_stale_after: processing_stale_after?,
        stale_reaper_interval: stale_reaper_interval?,
        delivered_retention: delivered_retention?,
        failed_retention: failed_retention?,
        cleanup_interval: cleanup_interval?,
        maintenance_batch_size: maintenance_batch_size?,
        retry_delays: retry_delays?,
    }))
}

/// A delivery must end before the reaper considers it lost. The problem is reported for the variable that was set.
fn timeout_before_stale(reader: &mut Reader<'_>, timeout: Read<Duration>, stale: Read<Duration>) -> Read<()> {
    let (timeout, stale) = (timeout?, stale?);
    if timeout < stale {
        return Ok(());
    }
    let (timeout, stale) = (duration::format(timeout), duration::format(stale));
    if reader.is_given(&WEBHOOK_TIMEOUT) {
        let other = reader.variable(&WEBHOOK_PROCESSING_STALE_AFTER);
        reader.refuse(&WEBHOOK_TIMEOUT, format!("a duration below {other} ({stale})"));
    } else {
        let other = reader.variable(&WEBHOOK_TIMEOUT);
        reader.refuse(&WEBHOOK_PROCESSING_STALE_AFTER, format!("a duration above {other} ({timeout})"));
    }
    Err(Reported)
}

fn enabled_events(text: &str) -> Result<EventKinds, InvalidValue> {
    let refusal = || {
        let kinds: Vec<_> = EventKind::ALL.into_iter().map(EventKind::as_str).collect();
        InvalidValue::from(format!("a comma-separated list, each kind once, of: {}", kinds.join(", ")))
    };
    parse::items(text).try_fold(EventKinds::NONE, |kinds, item| {
        let kind = EventKind::parse(item).filter(|kind| !kinds.contains(*kind)).ok_or_else(refusal)?;
        Ok(kinds.with(kind))
    })
}

fn retry_delays(text: &str) -> Result<Vec<Duration>, InvalidValue> {
    parse::list(text, duration::parse).map_err(|error| format!("a comma-separated list; each item {error}").into())
}

#[cfg(test)]
mod tests;
