//! `doorward webhooks show`

use super::pretty_json::pretty_print;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::runner::StoreContext;
use crate::cli::{attempts, format, printable};
use crate::domain::directory::delivery::{AttemptRecord, DeliveryRecord};
use crate::model::ids::EventId;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{AttemptRow, DeliveryRow};
use serde::Serialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use std::borrow::Cow;

#[derive(Serialize)]
struct ShownDelivery<'a> {
    #[serde(flatten)]
    record: DeliveryRecord<'a>,
    payload: Value,
    payload_text: Cow<'a, str>,
    payload_bytes: usize,
    attempt_list: Vec<AttemptRecord<'a>>,
}

/// Shows one delivery with its payload and its attempts.
pub(in crate::cli) async fn show(context: &StoreContext, id: EventId, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut conn = context.store.read(&Principal::operator(), Operation::ReadDeliveries).await?;
    let Some((row, payload)) = conn.outbox_find(id).await? else {
        return Err(Failure::Refused(format!(
            "there is no delivery {}; finished ones are removed after a time",
            id.wire()
        )));
    };
    let attempts = conn.outbox_attempts(id.into()).await?;
    let json = ShownDelivery {
        record: DeliveryRecord::from(&row),
        payload: parsed(&payload),
        payload_text: String::from_utf8_lossy(&payload),
        payload_bytes: payload.len(),
        attempt_list: AttemptRecord::all(&attempts),
    };
    let text = description(&row, &payload, &attempts, context.clock.now());
    out.result(&json, &text)
}

/// Parses the payload as JSON; falls back to text.
pub(super) fn parsed(payload: &[u8]) -> Value {
    serde_json::from_slice(payload).unwrap_or_else(|_| json!(String::from_utf8_lossy(payload)))
}

pub(super) fn pretty(payload: &[u8]) -> String {
    match std::str::from_utf8(payload) {
        Ok(text) if serde_json::from_str::<IgnoredAny>(text).is_ok() => printable::text(&pretty_print(text)),
        _ => printable::bytes(payload),
    }
}

fn description(row: &DeliveryRow, payload: &[u8], attempts: &[AttemptRow], now: Time) -> String {
    let fields = format::fields(&[
        ("Id", row.id.wire()),
        ("Kind", row.kind.clone()),
        ("State", format!("{}, {}", row.state.as_str(), format::due_or_finished(row.due_at, row.finished_at, now))),
        ("Happened", row.created_at.to_string()),
    ]);
    let note = format!("{} bytes; in lines here, signed and sent as stored (payload_text of --json)", payload.len());
    let payload = printable::indent(&pretty(payload), 2);
    format!("{fields}\n\nPayload   {note}\n\n{payload}\n\nAttempts\n\n{}", attempts::lines(attempts))
}
