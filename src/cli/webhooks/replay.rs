//! `doorward webhooks replay`

use super::args::Replay;
use crate::cli::failure::Failure;
use crate::cli::output::Output;
use crate::cli::runner::{StoreContext, wake_services};
use crate::cli::sending_again::{ProgressBar, confirm};
use crate::model::ids::EventId;
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{FailedRange, REPLAY_BATCH};
use serde_json::json;
use std::collections::HashSet;

const BATCH: u32 = 500;

/// Resends the named deliveries, or all that failed or wait.
pub(in crate::cli) async fn replay(
    context: &StoreContext,
    arguments: &Replay,
    out: &mut Output<'_>,
) -> Result<(), Failure> {
    if arguments.again.failed || arguments.waiting {
        replay_all(context, arguments, out).await
    } else {
        replay_named(context, arguments, out).await
    }
}

async fn replay_named(context: &StoreContext, arguments: &Replay, out: &mut Output<'_>) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    let ids: Vec<EventId> = arguments.ids.iter().copied().filter(|id| seen.insert(*id)).collect();
    let total = u64::try_from(ids.len()).unwrap_or(u64::MAX);
    confirm(total, "deliveries", arguments.again.yes, out)?;
    let mut progress = ProgressBar::new(total, out);
    let mut replayed = HashSet::new();
    for batch in ids.chunks(REPLAY_BATCH) {
        let mut tx = context.store.begin_autocommit(&Principal::operator(), Operation::ReplayDeliveries).await?;
        replayed.extend(tx.outbox_replay(batch).await?);
        tx.commit().await?;
        wake_services(&context.store).await;
        progress.update(u64::try_from(replayed.len()).unwrap_or(u64::MAX));
    }
    progress.clear();
    let mut refused = Vec::new();
    for id in ids.iter().filter(|id| !replayed.contains(id)) {
        let found =
            context.store.read(&Principal::operator(), Operation::ReadDeliveries).await?.outbox_find(*id).await?;
        refused.push((id.wire(), if found.is_some() { "under way" } else { "not found" }));
    }
    let list: Vec<_> = refused.iter().map(|(id, reason)| json!({"id": id, "reason": reason})).collect();
    let count = u64::try_from(replayed.len()).unwrap_or(u64::MAX);
    let mut text = summary(context, count);
    for (id, reason) in &refused {
        text = format!("{text}\nNot replayed: {id} ({reason})");
    }
    out.result(&json!({"replayed": count, "not_replayed": list}), &text)?;
    if refused.is_empty() {
        return Ok(());
    }
    Err(Failure::Refused(format!("not replayed: {} of {total}", refused.len())))
}

async fn replay_all(context: &StoreContext, arguments: &Replay, out: &mut Output<'_>) -> Result<(), Failure> {
    context.store.measure_clock().await?;
    // Deliveries that fail again meanwhile are excluded, else the loops might not end.
    let until = context.store.database_time();
    let since = arguments.again.since.map_or(Time::from_micros(0), |age| until - age);
    let range = FailedRange { kind: None, since, until };
    let operator = Principal::operator();
    let (failed, waiting) = (arguments.again.failed, arguments.waiting);
    let mut conn = context.store.read(&operator, Operation::ReadDeliveries).await?;
    let mut total = if failed { conn.outbox_count_failed(&range).await? } else { 0 };
    total += if waiting { conn.outbox_count_waiting(None).await? } else { 0 };
    drop(conn);
    confirm(total, "deliveries", arguments.again.yes, out)?;
    let mut progress = ProgressBar::new(total, out);
    let mut replayed = 0;
    let mut place = failed.then(|| range.begin());
    while let Some(after) = place {
        let mut tx = context.store.begin(&operator, Operation::ReplayDeliveries).await?;
        let batch = tx.outbox_replay_failed(&range, after, BATCH).await?;
        tx.commit().await?;
        replayed += batch.replayed;
        place = batch.next;
        wake_services(&context.store).await;
        progress.update(replayed);
    }
    let mut goes_on = waiting;
    while goes_on {
        let mut tx = context.store.begin(&operator, Operation::ReplayDeliveries).await?;
        let batch = tx.outbox_replay_waiting(None, until, BATCH).await?;
        tx.commit().await?;
        replayed += batch;
        goes_on = batch > 0;
        wake_services(&context.store).await;
        progress.update(replayed);
    }
    progress.clear();
    let text = match (replayed, failed) {
        (0, true) => "No delivery failed.".to_owned(),
        (0, false) => "No delivery waits for its next attempt.".to_owned(),
        _ => summary(context, replayed),
    };
    out.result(&json!({"replayed": replayed, "not_replayed": []}), &text)
}

fn summary(context: &StoreContext, count: u64) -> String {
    let what = if count == 1 { "1 delivery is".to_owned() } else { format!("{count} deliveries are") };
    let name = &context.settings.name;
    match context.settings.webhooks {
        Some(_) => format!("{what} due now."),
        None => format!("{what} due now, and sent once a service runs with {}.", name.variable("WEBHOOK_URL")),
    }
}
