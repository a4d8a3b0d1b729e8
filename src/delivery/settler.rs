//! Writes down what came of attempts: all that came meanwhile in one transaction.

use super::backoff::Backoff;
use super::pool::Pool;
use super::report::DISABLED;
use super::report::Message;
use super::report::Report;
use super::stop::Stop;
use crate::model::ids::EventId;
use crate::store::{self, Next, OUTBOX_BATCH, Settlement};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

/// So often writing is tried after the signal to stop; what cannot be written then is left to the reaper.
const LAST_TRIES: u32 = 5;

/// So long an outcome waits for those of attempts that are still under way: what one action caused is sent at the same
/// time, and is written down at the same time.
const GATHERING: Duration = Duration::from_millis(2);

/// Runs until nobody is left to report.
pub(super) async fn run(pool: Arc<Pool>, mut messages: mpsc::UnboundedReceiver<Message>, stop: Stop) {
    let mut received = Vec::with_capacity(OUTBOX_BATCH);
    while messages.recv_many(&mut received, OUTBOX_BATCH).await > 0 {
        gather(&pool, &mut messages, &mut received).await;
        let mut reports = Vec::with_capacity(received.len());
        let mut flushes = Vec::new();
        for message in received.drain(..) {
            match message {
                Message::Report(report) => reports.push(report),
                Message::Flush(done) => flushes.push(done),
            }
        }
        write(&pool, &reports, &stop).await;
        for done in flushes {
            let _ = done.send(());
        }
    }
}

async fn gather(pool: &Pool, messages: &mut mpsc::UnboundedReceiver<Message>, received: &mut Vec<Message>) {
    let all_slots = pool.policy.slots;
    let until = Instant::now() + GATHERING;
    while received.len() < OUTBOX_BATCH
        && pool.slots.available_permits() < all_slots
        && !received.iter().any(|message| matches!(message, Message::Flush(_)))
    {
        let room = OUTBOX_BATCH - received.len();
        if !timeout_at(until, messages.recv_many(received, room)).await.is_ok_and(|more| more > 0) {
            return;
        }
    }
}

async fn write(pool: &Pool, reports: &[Report], stop: &Stop) {
    let settlements: Vec<Settlement> = reports.iter().map(|report| report.settlement.clone()).collect();
    let channel = pool.policy.channel.plural();
    let mut backoff = Backoff::new();
    let mut last_tries = 0;
    loop {
        match settle(pool, &settlements).await {
            Ok(settled) => return reports.iter().for_each(|report| note(pool, report, &settled)),
            Err(error) => {
                last_tries += u32::from(stop.is_given());
                if last_tries == LAST_TRIES {
                    tracing::error!(error = %error, events = reports.len(), "outcomes of {channel} were not written");
                    return;
                }
                tracing::warn!(error = %error, events = reports.len(), "outcomes of {channel} cannot be written yet");
                backoff.pause_fully().await;
            }
        }
    }
}

async fn settle(pool: &Pool, settlements: &[Settlement]) -> store::Result<HashSet<EventId>> {
    if settlements.is_empty() {
        return Ok(HashSet::new());
    }
    let mut tx = pool.store.begin().await?;
    let settled = tx.outbox_settle(pool.policy.channel, settlements).await?;
    tx.commit().await?;
    Ok(settled)
}

/// Counts and logs what has become durable. Neither payload nor answer is logged, nor the receiver's URL or address.
fn note(pool: &Pool, report: &Report, settled: &HashSet<EventId>) {
    let Settlement { lease, next, attempt } = &report.settlement;
    let (id, kind, detail) = (pool.name(lease.id), report.kind.as_str(), report.detail.as_str());
    let channel = pool.policy.channel.as_str();
    let (number, outcome, status) = (attempt.number, attempt.outcome, attempt.status);
    let millis = attempt.duration.as_millis();
    if !settled.contains(&lease.id) {
        pool.figures.lost_leases.add(1);
        tracing::warn!(id, kind, attempt = number, outcome, "{channel} outcome not recorded: its claim was lost");
        return;
    }
    pool.figures.attempts.add(outcome);
    if outcome != DISABLED {
        pool.figures.delivery_time.observe(attempt.duration);
    }
    match next {
        Next::Delivered => {
            pool.figures.delivered.add(1);
            tracing::debug!(id, kind, attempt = number, status, millis, "{channel} delivered");
        }
        Next::Failed => {
            pool.figures.failed.add(1);
            tracing::warn!(id, kind, attempt = number, outcome, status, detail, millis, "{channel} failed");
        }
        Next::Retry { after } => {
            pool.figures.retried.add(1);
            let seconds = after.as_secs();
            tracing::warn!(
                id,
                kind,
                attempt = number,
                outcome,
                status,
                detail,
                millis,
                retry_in_seconds = seconds,
                "{channel} not delivered yet"
            );
        }
    }
}
