//! The attempts of a delivery, as text.

use super::{format, printable};
use crate::store::AttemptRow;
use std::time::Duration;

/// Returns a line for each attempt, followed by the response.
pub(super) fn lines(attempts: &[AttemptRow]) -> String {
    if attempts.is_empty() {
        return "  none yet".to_owned();
    }
    attempts.iter().enumerate().map(|(index, attempt)| line(index + 1, attempt)).collect::<Vec<_>>().join("\n")
}

fn line(number: usize, attempt: &AttemptRow) -> String {
    let took = format::duration(Duration::from_micros(u64::try_from(attempt.duration_us).unwrap_or(0)));
    let outcome = format::outcome(&attempt.outcome, attempt.status);
    let line = format!("  {number:<3} {}  {took:>8}  {outcome}", attempt.started_at);
    let response = printable::bytes(&attempt.response);
    if response.trim().is_empty() { line } else { format!("{line}\n{}", printable::indent(response.trim_end(), 6)) }
}
