//! `doorward webhooks show`

use super::json_lines::in_lines;
use super::{list, words};
use crate::app::App;
use crate::cli::Failure;
use crate::cli::output::Output;
use crate::cli::printable;
use crate::clock::Time;
use crate::domain::ids::EventId;
use crate::store::{AttemptRow, DeliveryRow};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

/// Shows one delivery with its payload and its attempts.
pub(super) async fn show<W: Write>(app: &App, id: EventId, out: &mut Output<W>) -> Result<(), Failure> {
    let mut conn = app.store.read().await?;
    let Some((row, payload)) = conn.outbox_find(id).await? else {
        return Err(Failure::Refused(format!(
            "there is no delivery {}; finished ones are removed after a time",
            id.wire()
        )));
    };
    let attempts = conn.outbox_attempts(id).await?;
    let mut json = list::record(&row);
    json["payload"] = parsed(&payload);
    json["payload_text"] = json!(String::from_utf8_lossy(&payload));
    json["payload_bytes"] = json!(payload.len());
    json["attempt_list"] = attempts.iter().enumerate().map(|(index, attempt)| record(index + 1, attempt)).collect();
    let text = description(&row, &payload, &attempts, app.clock.now());
    out.result(&json, &text)
}

/// The payload as JSON; as a text, should it be none.
pub(super) fn parsed(payload: &[u8]) -> Value {
    serde_json::from_slice(payload).unwrap_or_else(|_| json!(String::from_utf8_lossy(payload)))
}

/// The payload in readable lines, fit for a terminal.
pub(super) fn pretty(payload: &[u8]) -> String {
    match std::str::from_utf8(payload) {
        Ok(text) if serde_json::from_str::<IgnoredAny>(text).is_ok() => printable::text(&in_lines(text)),
        _ => printable::bytes(payload),
    }
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

/// To a thousandth.
#[expect(clippy::cast_precision_loss, reason = "microseconds of an attempt are far below 2^52")]
fn millis(attempt: &AttemptRow) -> f64 {
    attempt.duration_us as f64 / 1000.0
}

fn description(row: &DeliveryRow, payload: &[u8], attempts: &[AttemptRow], now: Time) -> String {
    let mut parts = vec![
        format!("Id        {}", row.id.wire()),
        format!("Kind      {}", printable::line(&row.kind)),
        format!("State     {}, {}", row.state.as_str(), list::when(row, now)),
        format!("Happened  {}", row.created_at),
        format!(
            "\nPayload   {} bytes; in lines here, signed and sent as stored (payload_text of --json)\n",
            payload.len()
        ),
        printable::indent(&pretty(payload), 2),
        "\nAttempts\n".to_owned(),
    ];
    if attempts.is_empty() {
        parts.push("  none yet".to_owned());
    }
    parts.extend(attempts.iter().enumerate().map(|(index, attempt)| lines(index + 1, attempt)));
    parts.join("\n")
}

fn lines(number: usize, attempt: &AttemptRow) -> String {
    let took = words::length(Duration::from_micros(u64::try_from(attempt.duration_us).unwrap_or(0)));
    let outcome = words::outcome(&attempt.outcome, attempt.status);
    let line = format!("  {number:<3} {}  {took:>8}  {outcome}", attempt.started_at);
    let answer = printable::bytes(&attempt.response);
    if answer.trim().is_empty() { line } else { format!("{line}\n{}", printable::indent(answer.trim_end(), 6)) }
}
