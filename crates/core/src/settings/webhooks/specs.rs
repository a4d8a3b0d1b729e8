//! The variables of the webhooks.

use crate::settings::spec::{DefaultValue, Exposure, SettingsGroup, Spec};

pub(super) static URL: Spec = Spec {
    suffix: "WEBHOOK_URL",
    kind: "URL",
    default: DefaultValue::Unset("no webhooks"),
    exposure: Exposure::Url,
    meaning: "The http:// or https:// endpoint that receives events. Username and password in it become an \
        Authorization: Basic header. Needs SVC_WEBHOOK_SECRET.",
};

pub(super) static SECRET: Spec = Spec {
    suffix: "WEBHOOK_SECRET",
    kind: "text",
    default: DefaultValue::Unset("no webhooks"),
    exposure: Exposure::Secret,
    meaning: "Shared secret that signs the requests: whsec_ and base64, which every library of Standard Webhooks takes, \
        or any text. No blanks or line breaks around it. Needs SVC_WEBHOOK_URL.",
};

pub(super) static SECRET_PREVIOUS: Spec = Spec {
    suffix: "WEBHOOK_SECRET_PREVIOUS",
    kind: "text",
    default: DefaultValue::Unset("none"),
    exposure: Exposure::Secret,
    meaning: "During a change of secret, the old one: it signs the webhook-signature header, too.",
};

pub(super) static ENABLED_EVENTS: Spec = Spec {
    suffix: "WEBHOOK_ENABLED_EVENTS",
    kind: "list of event kinds",
    default: DefaultValue::Unset("all kinds"),
    exposure: Exposure::Public,
    meaning: "Only these kinds of events are stored and sent.",
};

pub(super) static TIMEOUT: Spec = Spec {
    suffix: "WEBHOOK_TIMEOUT",
    kind: "duration",
    default: DefaultValue::Fixed("5s"),
    exposure: Exposure::Public,
    meaning: "HTTP timeout of a delivery; shorter than SVC_WEBHOOK_PROCESSING_STALE_AFTER.",
};

pub(super) static WORKER_COUNT: Spec = Spec {
    suffix: "WEBHOOK_WORKER_COUNT",
    kind: "number from 1 to 1024",
    default: DefaultValue::Fixed("2"),
    exposure: Exposure::Public,
    meaning: "How many events are delivered at the same time.",
};

pub(super) static MAX_DELIVERY_ATTEMPTS: Spec = Spec {
    suffix: "WEBHOOK_MAX_DELIVERY_ATTEMPTS",
    kind: "number",
    default: DefaultValue::Fixed("3"),
    exposure: Exposure::Public,
    meaning: "Bound on the attempts to deliver an event, the first included.",
};

pub(super) static RETRY_DELAYS: Spec = Spec {
    suffix: "WEBHOOK_RETRY_DELAYS",
    kind: "list of durations",
    default: DefaultValue::Fixed("30s,2m"),
    exposure: Exposure::Public,
    meaning: "Delays before attempt 2, 3 and so on; the last repeats.",
};

pub(super) static PROCESSING_STALE_AFTER: Spec = Spec {
    suffix: "WEBHOOK_PROCESSING_STALE_AFTER",
    kind: "duration",
    default: DefaultValue::Fixed("2m"),
    exposure: Exposure::Public,
    meaning: "Age after which a delivery that never ended counts as lost, and the event is delivered again.",
};

pub(super) static STALE_REAPER_INTERVAL: Spec = Spec {
    suffix: "WEBHOOK_STALE_REAPER_INTERVAL",
    kind: "duration",
    default: DefaultValue::Fixed("1m"),
    exposure: Exposure::Public,
    meaning: "How often lost deliveries are looked for.",
};

pub(super) static DELIVERED_RETENTION: Spec = Spec {
    suffix: "WEBHOOK_DELIVERED_RETENTION",
    kind: "duration",
    default: DefaultValue::Fixed("24h"),
    exposure: Exposure::Public,
    meaning: "How long delivered events are kept.",
};

pub(super) static FAILED_RETENTION: Spec = Spec {
    suffix: "WEBHOOK_FAILED_RETENTION",
    kind: "duration",
    default: DefaultValue::Fixed("720h"),
    exposure: Exposure::Public,
    meaning: "How long failed events are kept.",
};

pub(super) static CLEANUP_INTERVAL: Spec = Spec {
    suffix: "WEBHOOK_CLEANUP_INTERVAL",
    kind: "duration",
    default: DefaultValue::Fixed("1h"),
    exposure: Exposure::Public,
    meaning: "How often delivered and failed events past their time are removed.",
};

pub(super) static MAINTENANCE_BATCH_SIZE: Spec = Spec {
    suffix: "WEBHOOK_MAINTENANCE_BATCH_SIZE",
    kind: "number",
    default: DefaultValue::Fixed("1000"),
    exposure: Exposure::Public,
    meaning: "Most events removed in one batch.",
};

pub(in crate::settings) static SECTION: SettingsGroup = SettingsGroup {
    title: "Webhooks",
    settings: &[
        &URL,
        &SECRET,
        &SECRET_PREVIOUS,
        &ENABLED_EVENTS,
        &TIMEOUT,
        &WORKER_COUNT,
        &MAX_DELIVERY_ATTEMPTS,
        &RETRY_DELAYS,
        &PROCESSING_STALE_AFTER,
        &STALE_REAPER_INTERVAL,
        &DELIVERED_RETENTION,
        &FAILED_RETENTION,
        &CLEANUP_INTERVAL,
        &MAINTENANCE_BATCH_SIZE,
    ],
};
