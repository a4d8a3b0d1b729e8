//! Doing jobs: a process takes one under a lease, and each step renews it.

use super::replay::{self, ReplayFilter};
use crate::context::App;
use crate::error::Error;
use crate::model::list_place::ListPlace;
use crate::model::principal::{Operation, Principal};
use crate::store::{FailedRange, JobRow, JobState, JobStep, ReplayedBatch, StoreError, Tx};
use std::time::Duration;

/// Longer than a step takes; after the end of a process another goes on so much later.
const LEASE: Duration = Duration::from_secs(30);
/// Deliveries of a step.
const STEP: u32 = 1_000;
const OPERATION: Operation = Operation::ReplayDeliveries;
const PERMISSIONS: &[Operation] = &[OPERATION];

/// Does jobs that no other process has, until there is none or this process is to stop.
pub async fn work(app: &App, is_stopping: impl Fn() -> bool) -> Result<(), Error> {
    while !is_stopping() {
        let Some(job) = take(app).await? else { return Ok(()) };
        replay_all(app, &job, &is_stopping).await?;
    }
    Ok(())
}

/// Takes a job. It is looked for first, as a write would disturb others for nothing.
async fn take(app: &App) -> Result<Option<JobRow>, StoreError> {
    let process = Principal::process(PERMISSIONS);
    if !app.store.read(&process, OPERATION).await?.job_is_due(replay::KIND).await? {
        return Ok(None);
    }
    let mut tx = app.store.begin_lease(&process, OPERATION).await?;
    let job = tx.job_take(replay::KIND, LEASE).await?;
    tx.commit().await?;
    Ok(job)
}

/// Does the steps of a job, until it is done, another process has it, or this one is to stop.
async fn replay_all(app: &App, job: &JobRow, is_stopping: &impl Fn() -> bool) -> Result<(), StoreError> {
    let Some(filter) = replay::filter_of(job) else { return refuse(app, job).await };
    let range = replay::range_of(job, filter);
    let mut place = job.cursor.as_deref().and_then(ListPlace::parse).unwrap_or_else(|| range.begin());
    let total = if let Some(total) = job.total {
        u64::try_from(total).unwrap_or(0)
    } else {
        let mut conn = app.store.read(&Principal::process(PERMISSIONS), OPERATION).await?;
        if filter.waiting {
            conn.outbox_count_waiting(range.kind).await?
        } else {
            conn.outbox_count_failed(&range).await?
        }
    };
    loop {
        let is_last = is_stopping();
        let next = step(app, job, filter, (place, total), is_last).await?;
        let Some(next) = next.filter(|_| !is_last) else { return Ok(()) };
        place = next;
    }
}

/// Does a step: the deliveries and the job's new place in one transaction. `None` if it was the last one, or if another
/// process has the job.
async fn step(
    app: &App,
    job: &JobRow,
    filter: ReplayFilter,
    (place, total): (ListPlace, u64),
    is_last: bool,
) -> Result<Option<ListPlace>, StoreError> {
    let mut tx = app.store.begin(&Principal::process(PERMISSIONS), OPERATION).await?;
    // A process that stops leaves the job to others at once.
    let lease = if is_last { Duration::ZERO } else { LEASE };
    if !tx.job_hold(job, lease).await? {
        return Ok(None);
    }
    let batch = replay_batch(&mut tx, filter, &replay::range_of(job, filter), place).await?;
    let next = batch.next.map(|place| place.to_string());
    tx.job_step(job.id, JobStep { done: batch.replayed, total, next: next.as_deref() }).await?;
    tx.commit().await?;
    Ok(batch.next)
}

async fn replay_batch(
    tx: &mut Tx,
    filter: ReplayFilter,
    range: &FailedRange,
    place: ListPlace,
) -> Result<ReplayedBatch, StoreError> {
    if !filter.waiting {
        return tx.outbox_replay_failed(range, place, STEP).await;
    }
    let replayed = tx.outbox_replay_waiting(range.kind, range.until, STEP).await?;
    // What was made due waits no longer, so the next batch begins at the same place.
    Ok(ReplayedBatch { replayed, next: (replayed > 0).then_some(place) })
}

/// Ends a job that this version cannot read.
async fn refuse(app: &App, job: &JobRow) -> Result<(), StoreError> {
    let mut tx = app.store.begin(&Principal::process(PERMISSIONS), OPERATION).await?;
    if tx.job_hold(job, LEASE).await? {
        tx.job_finish(job.id, JobState::Failed, Some("its parameters are unknown")).await?;
        tx.commit().await?;
    }
    Ok(())
}
