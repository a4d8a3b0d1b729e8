//! Doing jobs: a process takes one under a lease, and each step renews it.

use super::replay;
use crate::context::App;
use crate::domain::change::{self, Change};
use crate::error::Error;
use crate::model::list_place::ListPlace;
use crate::model::principal::{Operation, Principal};
use crate::store::{FailedRange, JobRow, JobState, JobStep, StoreError, Tx};
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
async fn replay_all(app: &App, job: &JobRow, is_stopping: &impl Fn() -> bool) -> Result<(), Error> {
    let Some(filter) = replay::filter_of(job) else { return change::run_as_process(app, Refuse(job)).await };
    let range = &replay::range_of(job, filter);
    let mut place = job.cursor.as_deref().and_then(ListPlace::parse).unwrap_or_else(|| range.begin());
    let total = if let Some(total) = job.total {
        u64::try_from(total).unwrap_or(0)
    } else {
        let mut conn = app.store.read(&Principal::process(PERMISSIONS), OPERATION).await?;
        if filter.waiting {
            conn.outbox_count_waiting(range.kind).await?
        } else {
            conn.outbox_count_failed(range).await?
        }
    };
    loop {
        let is_last = is_stopping();
        let step = Step { job, range, waiting: filter.waiting, place, total, is_last };
        let next = change::run_as_process(app, step).await?;
        let Some(next) = next.filter(|_| !is_last) else { return Ok(()) };
        place = next;
    }
}

/// A step: the deliveries and the job's new place in one transaction. Made is `None` if it was the last one, or if another
/// process has the job.
struct Step<'a> {
    job: &'a JobRow,
    range: &'a FailedRange,
    waiting: bool,
    place: ListPlace,
    total: u64,
    is_last: bool,
}

impl Change<Error> for Step<'_> {
    const OPERATION: Operation = OPERATION;
    type Made = Option<ListPlace>;

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<Option<ListPlace>, Error> {
        let Self { job, range, waiting, place, total, is_last } = self;
        // A process that stops leaves the job to others at once.
        let lease = if is_last { Duration::ZERO } else { LEASE };
        if !tx.job_hold(job, lease).await? {
            return Ok(None);
        }
        let (done, next) = if waiting {
            let replayed = tx.outbox_replay_waiting(range.kind, range.until, STEP).await?;
            // What was made due waits no longer, so the next batch begins at the same place.
            (replayed, (replayed > 0).then_some(place))
        } else {
            let batch = tx.outbox_replay_failed(range, place, STEP).await?;
            (batch.replayed, batch.next)
        };
        let place = next.map(|place| place.to_string());
        tx.job_step(job.id, JobStep { done, total, next: place.as_deref() }).await?;
        Ok(next)
    }
}

/// Ends a job that this version cannot read.
struct Refuse<'a>(&'a JobRow);

impl Change<Error> for Refuse<'_> {
    const OPERATION: Operation = OPERATION;
    type Made = ();

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<(), Error> {
        if tx.job_hold(self.0, LEASE).await? {
            tx.job_finish(self.0.id, JobState::Failed, Some("its parameters are unknown")).await?;
        }
        Ok(())
    }
}
