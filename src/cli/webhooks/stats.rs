//! `doorward webhooks stats`

use crate::cli::failure::Failure;
use crate::cli::format;
use crate::cli::output::Output;
use crate::model::principal::{Operation, Principal};
use crate::store::{AttemptSample, COUNT_LIMIT, Conn, DeliveryState, OldestPending, Queue, SAMPLE, Store};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// The printed metrics.
struct DeliveryStats {
    counts: [(DeliveryState, u64); 4],
    oldest: Option<OldestPending>,
    last_minute: u64,
    last_hour: u64,
    attempts: AttemptStats,
}

/// Durations and outcomes of a sample of attempts.
struct AttemptStats {
    /// Number of attempts with a duration.
    timed: usize,
    percentiles: Option<[Duration; 3]>,
    outcomes: BTreeMap<String, u64>,
}

/// Prints metrics of the outbox.
pub(in crate::cli) async fn stats<W: Write>(store: &Store, out: &mut Output<W>) -> Result<(), Failure> {
    let stats = read(&mut store.read(&Principal::operator(), Operation::ReadOverview).await?).await?;
    out.result(&record(&stats), &description(&stats))
}

async fn read(conn: &mut Conn) -> Result<DeliveryStats, Failure> {
    let mut counts = DeliveryState::ALL.map(|state| (state, 0));
    for (state, count) in &mut counts {
        *count = conn.outbox_count(Queue::Webhook, *state, COUNT_LIMIT).await?;
    }
    Ok(DeliveryStats {
        counts,
        oldest: conn.outbox_oldest(Queue::Webhook).await?,
        last_minute: conn.outbox_delivered_within(MINUTE).await?,
        last_hour: conn.outbox_delivered_within(HOUR).await?,
        attempts: AttemptStats::of(&conn.outbox_sample().await?),
    })
}

impl AttemptStats {
    fn of(samples: &[AttemptSample]) -> Self {
        let mut outcomes = BTreeMap::new();
        let mut durations = Vec::new();
        for sample in samples {
            *outcomes.entry(sample.outcome.clone()).or_default() += 1;
            // Those two were never completed.
            if !matches!(sample.outcome.as_str(), "disabled" | "interrupted") {
                durations.push(Duration::from_micros(u64::try_from(sample.duration_us).unwrap_or(0)));
            }
        }
        durations.sort_unstable();
        let percentiles = (!durations.is_empty()).then(|| [50, 95, 99].map(|rank| percentile(&durations, rank)));
        Self { timed: durations.len(), percentiles, outcomes }
    }
}

/// The percentile of sorted durations (nearest-rank method).
fn percentile(sorted: &[Duration], rank: usize) -> Duration {
    let index = (sorted.len() * rank).div_ceil(100).saturating_sub(1);
    sorted.get(index).copied().unwrap_or_default()
}

fn record(stats: &DeliveryStats) -> Value {
    let counts: Map<String, Value> =
        stats.counts.iter().map(|(state, count)| (state.as_str().to_owned(), json!(count))).collect();
    let millis = |duration: Duration| duration.as_secs_f64() * 1000.0;
    let percentile = |index: usize| stats.attempts.percentiles.map(|percentiles| millis(percentiles[index]));
    json!({
        "states": counts,
        "counted_up_to": COUNT_LIMIT,
        "oldest_pending_age_seconds": stats.oldest.map(|oldest| oldest.age.as_secs_f64()),
        "oldest_pending_overdue_seconds": stats.oldest.map(|oldest| oldest.overdue.as_secs_f64()),
        "delivered_last_minute": stats.last_minute,
        "delivered_last_hour": stats.last_hour,
        "attempt_duration_ms": {
            "p50": percentile(0),
            "p95": percentile(1),
            "p99": percentile(2),
            "sampled_attempts": stats.attempts.timed,
        },
        "sampled_outcomes": stats.attempts.outcomes,
    })
}

fn description(stats: &DeliveryStats) -> String {
    let limit = u64::try_from(COUNT_LIMIT).unwrap_or(u64::MAX);
    let count = |count: u64| if count >= limit { format!("{limit} or more") } else { count.to_string() };
    let mut lines: Vec<String> =
        stats.counts.iter().map(|(state, number)| format!("{:<16}{}", state.as_str(), count(*number))).collect();
    let oldest = stats.oldest.map_or("-".to_owned(), |oldest| {
        let due = if oldest.overdue.is_zero() {
            "due later".to_owned()
        } else {
            format!("due for {}", format::coarse_duration(oldest.overdue))
        };
        format!("{} old, {due}", format::coarse_duration(oldest.age))
    });
    lines.push(format!("{:<16}{oldest}", "oldest pending"));
    let per_second = rate(stats.last_minute, 60);
    lines.push(format!("{:<16}{} in the last minute ({per_second}/s)", "arrived", count(stats.last_minute)));
    lines.push(format!("{:<16}{} in the last hour ({}/s)", "", count(stats.last_hour), rate(stats.last_hour, 3600)));
    if let Some([p50, p95, p99]) = stats.attempts.percentiles.map(|all| all.map(format::duration)) {
        lines.push(format!("{:<16}p50 {p50}, p95 {p95}, p99 {p99}", "attempts took"));
        let attempts = stats.attempts.timed;
        lines.push(format!("{:<16}of {attempts} attempts of the newest {SAMPLE} deliveries of each state", ""));
    }
    let outcomes = stats.attempts.outcomes.iter().map(|(class, count)| format!("{class} {count}"));
    let outcomes = outcomes.collect::<Vec<_>>().join(", ");
    if !outcomes.is_empty() {
        lines.push(format!("{:<16}{outcomes}", "and ended"));
    }
    lines.join("\n")
}

/// Formats a rate with two decimals.
fn rate(count: u64, seconds: u64) -> String {
    let hundredths = count.saturating_mul(100) / seconds;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
