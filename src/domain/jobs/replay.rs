//! The replay of webhooks that failed in a span of time, or wait for their next attempt.

use crate::context::App;
use crate::domain::change;
use crate::model::change::{Change, InstanceChange};
use crate::model::event::EventKind;
use crate::model::ids::{EventId, JobId};
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::random;
use crate::refusal::{ChangeError, Refusal, Rule};
use crate::store::{FailedRange, JobRow, NewJob, Tx};
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
pub async fn begin_replay(app: &App, principal: &Principal, filter: ReplayFilter) -> Result<JobId, ChangeError> {
    let id = change::run(app, principal, Begin(filter)).await?;
    app.job_begun.notify_one();
    Ok(id)
}

struct Begin(ReplayFilter);

impl change::Change for Begin {
    const OPERATION: Operation = Operation::ReplayDeliveries;
    type Made = JobId;

    async fn apply(self, app: &App, tx: &mut Tx) -> Result<JobId, ChangeError> {
        let filter = self.0.to_json();
        let params = Value::from(filter.clone()).to_string();
        let id = JobId(random::uuid_v7(app.clock.now())?);
        let new = NewJob { id, kind: KIND, params: &params, created_by: tx.principal().user_id() };
        // The same one may end between the two statements.
        while !tx.job_create(new).await? {
            if let Some(running) = tx.job_running(KIND, &params).await? {
                return Ok(running);
            }
        }
        tx.record(Change::Instance(InstanceChange::DeliveriesReplayed { job: id, filter: &filter })).await?;
        Ok(id)
    }
}

/// Makes one delivery due now, with all its attempts again, whatever came of it: no job, as it is done at once.
pub struct ReplayDelivery {
    pub event: EventId,
}

impl change::Change for ReplayDelivery {
    const OPERATION: Operation = Operation::ReplayDeliveries;
    type Made = ();

    async fn apply(self, _: &App, tx: &mut Tx) -> Result<(), ChangeError> {
        let event = self.event;
        if tx.outbox_replay(&[event]).await?.is_empty() {
            return Err(match tx.outbox_find(event).await? {
                Some(_) => Refusal::rule(Rule::Conflict, "admin-replay-under-way"),
                None => Refusal::NotFound("delivery"),
            }
            .into());
        }
        Ok(tx.record(Change::Instance(InstanceChange::DeliveryReplayed { event })).await?)
    }
}

#[cfg(test)]
#[path = "replay_tests.rs"]
mod tests;
