//! Helpers for the unit tests of the delivery.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::settings::{Environment, ServiceName, Settings, WebhookSettings};
use std::sync::Arc;

pub(super) fn settings(variables: &[(&str, &str)]) -> Settings {
    let environment: Environment = variables.iter().copied().collect();
    Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings
}

/// The webhook settings from these variables, without their prefix, and from a receiver and a secret.
pub(super) fn webhooks(variables: &[(&str, &str)]) -> Arc<WebhookSettings> {
    let name = ServiceName::parse("svc").unwrap();
    let receiver = [("WEBHOOK_URL", "http://127.0.0.1:9/"), ("WEBHOOK_SECRET", "a-secret-of-some-length")];
    let all = receiver.iter().chain(variables);
    let environment: Environment = all.map(|(key, value)| (name.variable(key), (*value).to_owned())).collect();
    Settings::load(&name, &environment).unwrap().settings.webhooks.unwrap()
}
