//! Deliveries of webhooks and mails, and their attempts.

use super::list::{ListRange, Listing};
use crate::model::ids::MailId;
use crate::model::time::Time;
use crate::store::{AttemptRow, Conn, DeliveryFilter, DeliveryRow, MailFilter, MailRow, Result};
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct DeliveryRecord<'a> {
    id: String,
    kind: &'a str,
    state: &'static str,
    attempts: i64,
    attempts_since_replay: i64,
    created_at: Time,
    due_at: Time,
    finished_at: Option<Time>,
    last_outcome: Option<&'a str>,
    last_status: Option<i64>,
}

impl<'a> From<&'a DeliveryRow> for DeliveryRecord<'a> {
    fn from(row: &'a DeliveryRow) -> Self {
        Self {
            id: row.id.wire(),
            kind: &row.kind,
            state: row.state.as_str(),
            attempts: row.recorded,
            attempts_since_replay: row.attempts,
            created_at: row.created_at,
            due_at: row.due_at,
            finished_at: row.finished_at,
            last_outcome: row.last_outcome.as_deref(),
            last_status: row.last_status,
        }
    }
}

/// A mail, without its text.
#[derive(Debug, Serialize)]
pub struct MailRecord<'a> {
    id: MailId,
    kind: &'a str,
    state: &'static str,
    to: &'a str,
    subject: &'a str,
    message_id: &'a str,
    attempts: i64,
    created_at: Time,
    due_at: Time,
    expires_at: Time,
    finished_at: Option<Time>,
    last_outcome: Option<&'a str>,
    last_status: Option<i64>,
}

impl<'a> From<&'a MailRow> for MailRecord<'a> {
    fn from(row: &'a MailRow) -> Self {
        Self {
            id: row.id,
            kind: &row.kind,
            state: row.state.as_str(),
            to: &row.recipient,
            subject: &row.subject,
            message_id: &row.message_id,
            attempts: row.attempts,
            created_at: row.created_at,
            due_at: row.due_at,
            expires_at: row.expires_at,
            finished_at: row.finished_at,
            last_outcome: row.last_outcome.as_deref(),
            last_status: row.last_status,
        }
    }
}

#[derive(Debug, Serialize)]
pub struct AttemptRecord<'a> {
    number: usize,
    started_at: Time,
    duration_ms: f64,
    outcome: &'a str,
    status: Option<i64>,
    response: String,
}

impl<'a> AttemptRecord<'a> {
    /// The attempts of one delivery, numbered from one.
    pub fn all(rows: &'a [AttemptRow]) -> Vec<Self> {
        rows.iter().enumerate().map(|(index, row)| Self::of(index + 1, row)).collect()
    }

    /// Milliseconds with three decimals.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of an attempt are far below 2^52")]
    fn of(number: usize, row: &'a AttemptRow) -> Self {
        Self {
            number,
            started_at: row.started_at,
            duration_ms: row.duration_us as f64 / 1000.0,
            outcome: &row.outcome,
            status: row.status,
            response: String::from_utf8_lossy(&row.response).into_owned(),
        }
    }
}

pub async fn events(conn: &mut Conn, filter: &DeliveryFilter<'_>, range: ListRange) -> Result<Listing<DeliveryRow>> {
    Ok(range.listing(conn.outbox_list(filter, range.after, range.rows()).await?, DeliveryRow::place, |row| row))
}

pub async fn mails(conn: &mut Conn, filter: &MailFilter<'_>, range: ListRange) -> Result<Listing<MailRow>> {
    Ok(range.listing(conn.mails_list(filter, range.after, range.rows()).await?, MailRow::place, |row| row))
}
