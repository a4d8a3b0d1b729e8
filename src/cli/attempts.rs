//! The attempts of a delivery, as text and as JSON.

use super::{format, printable};
use crate::store::AttemptRow;
use serde_json::{Value, json};
use std::time::Duration;

/// Returns the attempts as JSON.
pub(super) fn records(attempts: &[AttemptRow]) -> Value {
    attempts.iter().enumerate().map(|(index, attempt)| record(index + 1, attempt)).collect()
}

/// Returns a line for each attempt, followed by the response.
pub(super) fn lines(attempts: &[AttemptRow]) -> String {
    if attempts.is_empty() {
        return "  none yet".to_owned();
    }
    attempts.iter().enumerate().map(|(index, attempt)| line(index + 1, attempt)).collect::<Vec<_>>().join("\n")
}

fn record(number: usize, attempt: &AttemptRow) -> Value {
    json!({
        "number": number,
        "started_at": attempt.started_at,
        "duration_ms": millis(attempt),
        "outcome": attempt.outcome,
        "status": attempt.status,
        "response": String::from_utf8_lossy(&attempt.response),
    })
}

/// Milliseconds with three decimals.
#[expect(clippy::cast_precision_loss, reason = "microseconds of an attempt are far below 2^52")]
fn millis(attempt: &AttemptRow) -> f64 {
    attempt.duration_us as f64 / 1000.0
}

fn line(number: usize, attempt: &AttemptRow) -> String {
    let took = format::duration(Duration::from_micros(u64::try_from(attempt.duration_us).unwrap_or(0)));
    let outcome = format::outcome(&attempt.outcome, attempt.status);
    let line = format!("  {number:<3} {}  {took:>8}  {outcome}", attempt.started_at);
    let response = printable::bytes(&attempt.response);
    if response.trim().is_empty() { line } else { format!("{line}\n{}", printable::indent(response.trim_end(), 6)) }
}
