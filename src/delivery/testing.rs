//! What the unit tests of the delivery share.
#![expect(clippy::unwrap_used, reason = "a test may fail loudly")]

use crate::settings::{Environment, ServiceName, Settings, Webhooks};
use std::sync::Arc;

/// The settings of these variables.
pub(super) fn settings(variables: &[(&str, &str)]) -> Settings {
    let environment: Environment = variables.iter().copied().collect();
    Settings::load(&ServiceName::parse("svc").unwrap(), &environment).unwrap().settings
}

/// The webhook settings of these variables, given without their prefix, beside a receiver and a secret.
pub(super) fn webhooks(variables: &[(&str, &str)]) -> Arc<Webhooks> {
    let name = ServiceName::parse("svc").unwrap();
    let receiver = [("WEBHOOK_URL", "http://127.0.0.1:9/"), ("WEBHOOK_SECRET", "a-secret-of-some-length")];
    let all = receiver.iter().chain(variables);
    let environment: Environment = all.map(|(key, value)| (name.variable(key), (*value).to_owned())).collect();
    Settings::load(&name, &environment).unwrap().settings.webhooks.unwrap()
}
