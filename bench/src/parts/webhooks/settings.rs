//! The settings of webhooks.

use crate::instance::Instance;

const URL: &str = "SVC_WEBHOOK_URL";
const SECRET: &str = "SVC_WEBHOOK_SECRET";

/// Configures the instance to send events to this URL.
pub fn send_to(instance: &mut Instance, url: String) {
    instance.set(URL, url);
    instance.set(SECRET, "a secret of a benchmark, as long as others");
    // Processes are killed while they deliver; their claimed deliveries must stay claimed until the end.
    instance.set("SVC_WEBHOOK_PROCESSING_STALE_AFTER", "12h");
}

pub fn send_nothing(instance: &mut Instance) {
    instance.unset(URL);
    instance.unset(SECRET);
}
