//! `doorward webhooks window`

use crate::cli::failure::Failure;
use crate::cli::format;
use crate::cli::output::Output;
use crate::settings::{Environment, ServiceName, Settings, WebhookSettings, duration};
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;

/// Maximum number of attempts in the table, besides the last one.
const MAX_ROWS: u32 = 50;

/// When an attempt begins, relative to the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Row {
    number: u32,
    /// If every attempt fails at once.
    earliest: Duration,
    /// If every attempt times out.
    latest: Duration,
}

/// Prints when the attempts of an event are made, and how long an outage may last without lost events.
pub(in crate::cli) fn window<W: Write>(
    name: &ServiceName,
    environment: &Environment,
    out: &mut Output<W>,
) -> Result<(), Failure> {
    let webhooks = settings(name, environment)?;
    let last = row(webhooks.max_delivery_attempts, &webhooks);
    let shown = (1..webhooks.max_delivery_attempts).take_while(|number| *number <= MAX_ROWS);
    let rows: Vec<Row> = shown.map(|number| row(number, &webhooks)).chain([last]).collect();
    out.result(&record(&rows, last, &webhooks), &description(&rows, last, &webhooks))
}

/// Loads the settings from the environment, with placeholders if receiver and secret are not set.
fn settings(name: &ServiceName, environment: &Environment) -> Result<std::sync::Arc<WebhookSettings>, Failure> {
    let load = |environment: &Environment| {
        Settings::load(name, environment)
            .map(|loaded| loaded.settings.webhooks)
            .map_err(|problems| Failure::Operator(problems.to_string()))
    };
    if let Some(webhooks) = load(environment)? {
        return Ok(webhooks);
    }
    let placeholders = environment
        .clone()
        .with(name.variable("WEBHOOK_URL"), "http://localhost/")
        .with(name.variable("WEBHOOK_SECRET"), "none");
    load(&placeholders)?.ok_or_else(|| Failure::Operator("webhooks are not configured".to_owned()))
}

/// When attempt `number` begins: after the retry delays and, at the latest, one timeout for each earlier attempt.
fn row(number: u32, webhooks: &WebhookSettings) -> Row {
    let earliest = webhooks.delay_before(number);
    let timeouts = webhooks.timeout.saturating_mul(number.saturating_sub(1));
    Row { number, earliest, latest: earliest.saturating_add(timeouts) }
}

fn record(rows: &[Row], last: Row, webhooks: &WebhookSettings) -> Value {
    let attempts: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "attempt": row.number,
                "begins_after_seconds": row.earliest.as_secs_f64(),
                "begins_after_seconds_with_timeouts": row.latest.as_secs_f64(),
            })
        })
        .collect();
    json!({
        "max_delivery_attempts": webhooks.max_delivery_attempts,
        "timeout_seconds": webhooks.timeout.as_secs_f64(),
        "attempts": attempts,
        "survived_outage_seconds": last.earliest.as_secs_f64(),
        "given_up_after_seconds": last.latest.saturating_add(webhooks.timeout).as_secs_f64(),
        "failed_kept_seconds": webhooks.failed_retention.as_secs_f64(),
    })
}

fn description(rows: &[Row], last: Row, webhooks: &WebhookSettings) -> String {
    let mut cells = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        if index > 0 && rows[index - 1].number + 1 < row.number {
            cells.push(["…".to_owned(), String::new(), String::new()]);
        }
        cells.push([row.number.to_string(), duration::format(row.earliest), duration::format(row.latest)]);
    }
    let (survived, kept) = (duration::format(last.earliest), format::coarse_duration(webhooks.failed_retention));
    let end = duration::format(last.latest.saturating_add(webhooks.timeout));
    let outage = if last.earliest.is_zero() {
        "The events of an outage fail: there is only one attempt.".to_owned()
    } else {
        format!("An outage shorter than {survived} loses no event: the last attempt comes after it.")
    };
    format!(
        "{}\n\n{outage}\nAn event is given up after {end} at the latest; Retry-After can add an hour to each delay, \
         and a\nprocess that dies under way up to {}.\nWhat has failed is kept for {kept}, and sent again with: \
         doorward webhooks replay --failed",
        format::table(["attempt", "begins after", "if each times out"], cells),
        duration::format(webhooks.processing_stale_after.saturating_add(webhooks.stale_reaper_interval)),
    )
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
