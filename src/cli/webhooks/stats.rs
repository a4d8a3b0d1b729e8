//! `doorward webhooks stats`

use crate::cli::failure::Failure;
use crate::cli::format;
use crate::cli::output::{Millis, Output, Seconds};
use crate::cli::runner::StoreContext;
use crate::model::principal::{Operation, Principal};
use crate::store::{AttemptSample, COUNT_LIMIT, Conn, DeliveryState, Queue, SAMPLE};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

#[derive(Serialize)]
struct DeliveryStats {
    attempt_duration_ms: AttemptDurations,
    counted_up_to: i64,
    delivered_last_hour: u64,
    delivered_last_minute: u64,
    oldest_pending_age_seconds: Option<Seconds>,
    oldest_pending_overdue_seconds: Option<Seconds>,
    sampled_outcomes: BTreeMap<String, u64>,
    states: BTreeMap<&'static str, u64>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct AttemptDurations {
    p50: Option<Millis>,
    p95: Option<Millis>,
    p99: Option<Millis>,
    sampled_attempts: usize,
}

pub(in crate::cli) async fn stats(context: &StoreContext, (): (), out: &mut Output<'_>) -> Result<(), Failure> {
    let stats = read(&mut context.store.read(&Principal::operator(), Operation::ReadOverview).await?).await?;
    out.result(&stats, &description(&stats))
}

async fn read(conn: &mut Conn) -> Result<DeliveryStats, Failure> {
    let mut states = BTreeMap::new();
    for state in DeliveryState::ALL {
        states.insert(state.as_str(), conn.outbox_count(Queue::Webhook, state, COUNT_LIMIT).await?);
    }
    let oldest = conn.outbox_oldest(Queue::Webhook).await?;
    let samples = conn.outbox_sample().await?;
    let mut sampled_outcomes = BTreeMap::new();
    for sample in &samples {
        *sampled_outcomes.entry(sample.outcome.clone()).or_default() += 1;
    }
    Ok(DeliveryStats {
        attempt_duration_ms: AttemptDurations::of(&samples),
        counted_up_to: COUNT_LIMIT,
        delivered_last_hour: conn.outbox_delivered_within(HOUR).await?,
        delivered_last_minute: conn.outbox_delivered_within(MINUTE).await?,
        oldest_pending_age_seconds: oldest.map(|oldest| Seconds(oldest.age)),
        oldest_pending_overdue_seconds: oldest.map(|oldest| Seconds(oldest.overdue)),
        sampled_outcomes,
        states,
    })
}

impl AttemptDurations {
    fn of(samples: &[AttemptSample]) -> Self {
        // Those two were never completed.
        let completed = samples.iter().filter(|sample| !matches!(sample.outcome.as_str(), "disabled" | "interrupted"));
        let mut sorted: Vec<Duration> =
            completed.map(|sample| Duration::from_micros(u64::try_from(sample.duration_us).unwrap_or(0))).collect();
        sorted.sort_unstable();
        let [p50, p95, p99] = [50, 95, 99].map(|rank| percentile(&sorted, rank));
        Self { p50, p95, p99, sampled_attempts: sorted.len() }
    }
}

/// The percentile of sorted durations (nearest-rank method); `None` of none.
fn percentile(sorted: &[Duration], rank: usize) -> Option<Millis> {
    let index = (sorted.len() * rank).div_ceil(100).saturating_sub(1);
    sorted.get(index).copied().map(Millis)
}

fn description(stats: &DeliveryStats) -> String {
    let limit = u64::try_from(COUNT_LIMIT).unwrap_or(u64::MAX);
    let count = |count: u64| if count >= limit { format!("{limit} or more") } else { count.to_string() };
    let number = |state: DeliveryState| count(stats.states.get(state.as_str()).copied().unwrap_or_default());
    let mut lines = DeliveryState::ALL.map(|state| format!("{:<16}{}", state.as_str(), number(state))).to_vec();
    let oldest = stats.oldest_pending_age_seconds.zip(stats.oldest_pending_overdue_seconds);
    let oldest = oldest.map_or("-".to_owned(), |(Seconds(age), Seconds(overdue))| {
        let due = if overdue.is_zero() {
            "due later".to_owned()
        } else {
            format!("due for {}", format::coarse_duration(overdue))
        };
        format!("{} old, {due}", format::coarse_duration(age))
    });
    lines.push(format!("{:<16}{oldest}", "oldest pending"));
    let (minute, hour) = (stats.delivered_last_minute, stats.delivered_last_hour);
    lines.push(format!("{:<16}{} in the last minute ({}/s)", "arrived", count(minute), rate(minute, 60)));
    lines.push(format!("{:<16}{} in the last hour ({}/s)", "", count(hour), rate(hour, 3600)));
    let AttemptDurations { p50, p95, p99, sampled_attempts: attempts } = &stats.attempt_duration_ms;
    if let [Some(p50), Some(p95), Some(p99)] = [p50, p95, p99].map(|took| took.map(|took| format::duration(took.0))) {
        lines.push(format!("{:<16}p50 {p50}, p95 {p95}, p99 {p99}", "attempts took"));
        lines.push(format!("{:<16}of {attempts} attempts of the newest {SAMPLE} deliveries of each state", ""));
    }
    let outcomes = stats.sampled_outcomes.iter().map(|(class, count)| format!("{class} {count}"));
    let outcomes = outcomes.collect::<Vec<_>>().join(", ");
    if !outcomes.is_empty() {
        lines.push(format!("{:<16}{outcomes}", "and ended"));
    }
    lines.join("\n")
}

fn rate(count: u64, seconds: u64) -> String {
    let hundredths = count.saturating_mul(100) / seconds;
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
#[path = "stats_tests.rs"]
mod tests;
