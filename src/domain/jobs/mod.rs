//! Long work of administrators: begun by a request, done step by step by any process, looked at meanwhile.

mod replay;
mod work;

pub use replay::{ReplayDelivery, ReplayFilter, begin_replay};
pub use work::work;

use crate::context::App;
use crate::error::Error;
use crate::model::ids::{JobId, UserId};
use crate::model::principal::{Operation, Principal};
use crate::model::time::Time;
use crate::store::{JobRow, JobState};

#[derive(Clone, Debug)]
pub struct JobProgress {
    pub id: JobId,
    /// What is replayed; `None` if only a newer version knows it.
    pub filter: Option<ReplayFilter>,
    pub state: JobState,
    /// How many deliveries were made due again.
    pub done: u64,
    /// Of how many, once they are counted.
    pub total: Option<u64>,
    pub created_at: Time,
    /// By which administrator; `None` for an operator.
    pub created_by: Option<UserId>,
    pub finished_at: Option<Time>,
}

impl From<JobRow> for JobProgress {
    fn from(row: JobRow) -> Self {
        let count = |count: i64| u64::try_from(count).unwrap_or(0);
        Self {
            id: row.id,
            filter: replay::filter_of(&row),
            state: row.state,
            done: count(row.done),
            total: row.total.map(count),
            created_at: row.created_at,
            created_by: row.created_by_user_id,
            finished_at: row.finished_at,
        }
    }
}

/// The job with this id; `None` if there is none, or it ended weeks ago.
pub async fn find(app: &App, principal: &Principal, id: JobId) -> Result<Option<JobProgress>, Error> {
    let mut conn = app.store.read(principal, Operation::ReadDeliveries).await?;
    Ok(conn.job_find(id).await?.map(JobProgress::from))
}
