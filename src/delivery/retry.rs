//! The next state of a delivery after an attempt: a pure function (docs/reference/webhooks.md 13).

use super::classify::RequestOutcome;
use super::retry_after;
use crate::model::time::Time;
use crate::settings::WebhookSettings;
use crate::store::Next;
use std::time::Duration;

/// The next state of a delivery after attempt number `attempts`. `now` is needed for dates in `Retry-After` only.
pub fn next(outcome: &RequestOutcome, attempts: i64, settings: &WebhookSettings, now: Time) -> Next {
    match outcome {
        RequestOutcome::Answered { status: 200..=299, .. } => Next::Delivered,
        _ if !is_retryable(outcome) || attempts >= i64::from(settings.max_delivery_attempts) => Next::Failed,
        RequestOutcome::Answered { status: 429 | 503, retry_after: Some(value), .. } => {
            Next::Retry { after: delay(attempts, settings).max(retry_after::parse(value, now)) }
        }
        _ => Next::Retry { after: delay(attempts, settings) },
    }
}

fn is_retryable(outcome: &RequestOutcome) -> bool {
    match outcome {
        RequestOutcome::Answered { status, .. } => *status == 429 || (500..=599).contains(status),
        RequestOutcome::Unanswered { .. } => true,
    }
}

/// The delay after attempt number `attempts`; the last one of the setting repeats.
fn delay(attempts: i64, settings: &WebhookSettings) -> Duration {
    let index = usize::try_from(attempts.saturating_sub(1)).unwrap_or(0);
    settings.retry_delays.get(index).or(settings.retry_delays.last()).copied().unwrap_or_default()
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
