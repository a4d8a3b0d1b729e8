//! Settles attempts: records their results, many in one transaction.

use super::backoff::Backoff;
use super::outcome_log::OutcomeLog;
use super::pool::Pool;
use super::report::AttemptReport;
use super::report::SettlerMessage;
use super::shutdown::Shutdown;
use crate::model::ids::DeliveryId;
use crate::store::{self, OUTBOX_BATCH, Settlement};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

/// The number of tries to record results after the shutdown signal; what remains is left to the reaper.
const MAX_ATTEMPTS_AFTER_SHUTDOWN: u32 = 5;

/// How long a result waits for those of other attempts in progress: the events of one action are sent at the same time,
/// and settled in one transaction.
const GATHER_TIMEOUT: Duration = Duration::from_millis(2);

/// Runs until all senders of reports are dropped.
pub(super) async fn run(pool: Arc<Pool>, mut messages: mpsc::UnboundedReceiver<SettlerMessage>, shutdown: Shutdown) {
    let mut received = Vec::with_capacity(OUTBOX_BATCH);
    let mut passing: Option<JoinHandle<()>> = None;
    let mut outcomes = OutcomeLog::default();
    while messages.recv_many(&mut received, OUTBOX_BATCH).await > 0 {
        gather(&pool, &mut messages, &mut received).await;
        let mut reports = Vec::with_capacity(received.len());
        let mut flushes = Vec::new();
        for message in received.drain(..) {
            match message {
                SettlerMessage::AttemptReport(report) => reports.push(report),
                SettlerMessage::Flush(done) => flushes.push(done),
            }
        }
        settle_with_retries(&pool, &reports, &mut outcomes, &shutdown).await;
        // Beside the next settlement; one at a time.
        ended(passing.take()).await;
        // Whatever became of them: a retry holds nothing up.
        let subjects: Vec<String> = reports.into_iter().filter_map(|report| report.subject).collect();
        if !subjects.is_empty() {
            let pool = pool.clone();
            passing = Some(tokio::spawn(async move { pool.pass_turns(&subjects).await }));
        }
        for done in flushes {
            let _ = done.send(());
        }
    }
    ended(passing).await;
}

async fn ended(task: Option<JoinHandle<()>>) {
    if let Some(task) = task {
        // It panicked, or the runtime ends: the reaper passes those turns on.
        let _ = task.await;
    }
}

async fn gather(
    pool: &Pool,
    messages: &mut mpsc::UnboundedReceiver<SettlerMessage>,
    received: &mut Vec<SettlerMessage>,
) {
    let all_slots = pool.policy.slots;
    let deadline = Instant::now() + GATHER_TIMEOUT;
    while received.len() < OUTBOX_BATCH
        && pool.slots.available_permits() < all_slots
        && !received.iter().any(|message| matches!(message, SettlerMessage::Flush(_)))
    {
        let limit = OUTBOX_BATCH - received.len();
        if !timeout_at(deadline, messages.recv_many(received, limit)).await.is_ok_and(|count| count > 0) {
            return;
        }
    }
}

async fn settle_with_retries(pool: &Pool, reports: &[AttemptReport], outcomes: &mut OutcomeLog, shutdown: &Shutdown) {
    let settlements: Vec<Settlement> = reports.iter().map(|report| report.settlement.clone()).collect();
    let (channel, deliveries) = (pool.policy.channel.plural(), reports.len());
    let mut backoff = Backoff::new();
    let mut tries_after_shutdown = 0;
    loop {
        match settle(pool, &settlements).await {
            Ok(settled) => {
                for report in reports {
                    outcomes.log(pool, report, &settled);
                }
                return;
            }
            Err(error) => {
                tries_after_shutdown += u32::from(shutdown.is_requested());
                if tries_after_shutdown == MAX_ATTEMPTS_AFTER_SHUTDOWN {
                    tracing::error!(error = %error, deliveries, "results of {channel} were not recorded");
                    return;
                }
                tracing::warn!(error = %error, deliveries, "results of {channel} cannot be recorded yet");
                backoff.pause_fully().await;
            }
        }
    }
}

async fn settle(pool: &Pool, settlements: &[Settlement]) -> store::Result<HashSet<DeliveryId>> {
    if settlements.is_empty() {
        return Ok(HashSet::new());
    }
    let mut tx = pool.begin().await?;
    let settled = tx.outbox_settle(pool.policy.channel, settlements).await?;
    tx.commit().await?;
    Ok(settled)
}
