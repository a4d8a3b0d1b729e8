//! The replay of webhooks that failed in a span of time, or wait for their next attempt.

use crate::context::App;
use crate::error::Error;
use crate::model::change::{Change, InstanceChange};
use crate::model::event::EventKind;
use crate::model::ids::{EventId, JobId};
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::random;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{FailedRange, JobRow, NewJob};
use serde_json::{Map, Value};

/// The kind of these jobs in the database.
pub(super) const KIND: &str = "replay";

/// Which webhooks are replayed; what is `None` does not restrict them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayFilter {
    /// Those that wait for their next attempt, instead of those that failed.
    pub waiting: bool,
    pub kind: Option<EventKind>,
    /// What failed at this time or later.
    pub since: Option<Time>,
    /// What failed at this time or before.
    pub until: Option<Time>,
}

impl ReplayFilter {
    fn to_json(self) -> Map<String, Value> {
        let kind = self.kind.map(|kind| ("kind", kind.as_str().to_owned()));
        let since = self.since.map(|time| ("since", time.to_string()));
        let until = self.until.map(|time| ("until", time.to_string()));
        let given = [kind, since, until].into_iter().flatten().map(|(name, value)| (name, Value::from(value)));
        let waiting = self.waiting.then(|| ("waiting", Value::from(true)));
        given.chain(waiting).map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// `None` if it has a value that this version does not know.
    fn parse(json: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| json.get(name).map(|value| value.as_str().unwrap_or_default());
        if json.keys().any(|name| !["kind", "since", "until", "waiting"].contains(&name.as_str())) {
            return None;
        }
        Some(Self {
            waiting: json.get("waiting").map_or(Some(false), Value::as_bool)?,
            kind: text("kind").map_or(Some(None), |kind| EventKind::parse(kind).map(Some))?,
            since: text("since").map_or(Some(None), |time| Time::parse(time).map(Some))?,
            until: text("until").map_or(Some(None), |time| Time::parse(time).map(Some))?,
        })
    }
}

pub(super) fn filter_of(job: &JobRow) -> Option<ReplayFilter> {
    let params: Map<String, Value> = serde_json::from_str(&job.params).ok()?;
    ReplayFilter::parse(&params).filter(|_| job.kind == KIND)
}

/// The deliveries of a job: what fails after its beginning is none of it, else it might never end.
pub(super) fn range_of(job: &JobRow, filter: ReplayFilter) -> FailedRange {
    FailedRange {
        kind: filter.kind.map(EventKind::as_str),
        since: filter.since.unwrap_or(Time::from_micros(0)),
        until: filter.until.map_or(job.created_at, |until| until.min(job.created_at)),
    }
}

/// Begins a replay, unless the same one is under way: then it is that one.
pub async fn begin_replay(app: &App, principal: &Principal, filter: ReplayFilter) -> Result<JobId, Error> {
    let filter = filter.to_json();
    let params = Value::from(filter.clone()).to_string();
    let mut tx = app.store.begin(principal, Operation::ReplayDeliveries).await?;
    let id = JobId(random::uuid_v7(app.clock.now())?);
    let new = NewJob { id, kind: KIND, params: &params, created_by: principal.user_id() };
    // The same one may end between the two statements.
    while !tx.job_create(new).await? {
        if let Some(running) = tx.job_running(KIND, &params).await? {
            return Ok(running);
        }
    }
    let change = InstanceChange::DeliveriesReplayed { job: id, filter: &filter };
    tx.record(Change::Instance(change)).await?;
    tx.commit().await?;
    app.job_begun.notify_one();
    Ok(id)
}

/// Makes one delivery due now, with all its attempts again, whatever came of it: no job, as it is done at once.
pub async fn replay_one(app: &App, principal: &Principal, event: EventId) -> Result<(), ChangeError> {
    let mut tx = app.store.begin(principal, Operation::ReplayDeliveries).await?;
    if tx.outbox_replay(&[event]).await?.is_empty() {
        let found = tx.outbox_find(event).await?;
        return Err(match found {
            Some(_) => Refusal::rule(Rule::Conflict, "admin-replay-under-way"),
            None => Refusal::NotFound("delivery"),
        }
        .into());
    }
    tx.record(Change::Instance(InstanceChange::DeliveryReplayed { event })).await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
