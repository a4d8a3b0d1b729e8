//! The next state of a delivery after an attempt: a pure function (docs/reference/webhooks.md 13).

use super::classify::RequestOutcome;
use crate::model::http_date;
use crate::model::time::Time;
use crate::settings::WebhookSettings;
use crate::store::Next;
use std::time::Duration;

/// The longest delay that a receiver can request.
const MAX_DELAY: Duration = Duration::from_hours(1);

/// The next state of a delivery after attempt number `attempts`. `now` is needed for dates in `Retry-After` only.
pub fn next(outcome: &RequestOutcome, attempts: i64, settings: &WebhookSettings, now: Time) -> Next {
    match outcome {
        RequestOutcome::Answered { status: 200..=299, .. } => Next::Delivered,
        _ if !is_retryable(outcome) || attempts >= i64::from(settings.max_delivery_attempts) => Next::Failed,
        RequestOutcome::Answered { status: 429 | 503, retry_after: Some(value), .. } => {
            Next::Retry { after: delay(attempts, settings).max(requested_delay(value, now)) }
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

/// The delay of a `Retry-After` (RFC 9110, 10.2.3), at most an hour: seconds, or a date in any of the three forms that a
/// recipient must accept (5.6.7); zero for a date in the past and for an invalid value.
fn requested_delay(value: &str, now: Time) -> Duration {
    let value = value.trim();
    let delay = if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that overflows is a long delay, too.
        Duration::from_secs(value.parse().unwrap_or(u64::MAX))
    } else {
        http_date::parse(value).map_or(Duration::ZERO, |date| date.since(now))
    };
    delay.min(MAX_DELAY)
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
