//! `doorward webhooks window`

use crate::cli::failure::Failure;
use crate::cli::format;
use crate::cli::output::{Output, Seconds};
use crate::settings::{Environment, ServiceName, Settings, WebhookSettings, duration};
use serde::Serialize;

/// Maximum number of attempts in the table, besides the last one.
const MAX_ROWS: u32 = 50;

/// When an attempt begins, relative to the event: if every attempt fails at once, and if each times out.
#[derive(Clone, Copy, Serialize)]
struct Row {
    attempt: u32,
    begins_after_seconds: Seconds,
    begins_after_seconds_with_timeouts: Seconds,
}

/// The attempts, and what follows from them.
#[derive(Serialize)]
struct Window {
    attempts: Vec<Row>,
    failed_kept_seconds: Seconds,
    given_up_after_seconds: Seconds,
    max_delivery_attempts: u32,
    survived_outage_seconds: Seconds,
    timeout_seconds: Seconds,
}

/// Prints when the attempts of an event are made, and how long an outage may last without lost events.
pub(in crate::cli) fn window(
    name: &ServiceName,
    environment: &Environment,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    let webhooks = settings(name, environment)?;
    let last = row(webhooks.max_delivery_attempts, &webhooks);
    let shown = (1..webhooks.max_delivery_attempts).take_while(|number| *number <= MAX_ROWS);
    let window = Window {
        attempts: shown.map(|number| row(number, &webhooks)).chain([last]).collect(),
        failed_kept_seconds: Seconds(webhooks.failed_retention),
        given_up_after_seconds: Seconds(last.begins_after_seconds_with_timeouts.0.saturating_add(webhooks.timeout)),
        max_delivery_attempts: webhooks.max_delivery_attempts,
        survived_outage_seconds: last.begins_after_seconds,
        timeout_seconds: Seconds(webhooks.timeout),
    };
    out.result(&window, &description(&window, &webhooks))
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
    let latest = Seconds(earliest.saturating_add(timeouts));
    Row { attempt: number, begins_after_seconds: Seconds(earliest), begins_after_seconds_with_timeouts: latest }
}

fn description(window: &Window, webhooks: &WebhookSettings) -> String {
    let (shown, mut cells) = (|Seconds(after)| duration::format(after), Vec::new());
    for (index, row) in window.attempts.iter().enumerate() {
        if index > 0 && window.attempts[index - 1].attempt + 1 < row.attempt {
            cells.push(["…".to_owned(), String::new(), String::new()]);
        }
        let (earliest, latest) = (shown(row.begins_after_seconds), shown(row.begins_after_seconds_with_timeouts));
        cells.push([row.attempt.to_string(), earliest, latest]);
    }
    let (survived, end) = (shown(window.survived_outage_seconds), shown(window.given_up_after_seconds));
    let kept = format::coarse_duration(webhooks.failed_retention);
    let outage = if window.survived_outage_seconds.0.is_zero() {
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
