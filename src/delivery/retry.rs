//! What becomes of a delivery after an attempt: a pure function (interface.md 3, contract.md 6).

use super::classify::Outcome;
use super::retry_after;
use crate::model::time::Time;
use crate::settings::Webhooks;
use crate::store::Next;
use std::time::Duration;

/// What becomes of a delivery after attempt number `attempts`. `now` is needed for dates in `Retry-After` only.
pub(super) fn next(outcome: &Outcome, attempts: i64, settings: &Webhooks, now: Time) -> Next {
    match outcome {
        Outcome::Answered { status: 200..=299, .. } => Next::Delivered,
        _ if !is_worth_repeating(outcome) || attempts >= i64::from(settings.max_delivery_attempts) => Next::Failed,
        Outcome::Answered { status: 429 | 503, retry_after: Some(value), .. } => {
            Next::Retry { after: delay(attempts, settings).max(retry_after::parse(value, now)) }
        }
        _ => Next::Retry { after: delay(attempts, settings) },
    }
}

fn is_worth_repeating(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Answered { status, .. } => *status == 429 || (500..=599).contains(status),
        Outcome::Unanswered { .. } => true,
    }
}

/// The delay after attempt number `attempts`; the last of the list repeats.
fn delay(attempts: i64, settings: &Webhooks) -> Duration {
    let index = usize::try_from(attempts.saturating_sub(1)).unwrap_or(0);
    settings.retry_delays.get(index).or(settings.retry_delays.last()).copied().unwrap_or_default()
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
