//! Long work that any process does step by step: a step and the job's new place are one transaction, so that the end of
//! a process loses and repeats nothing.

use super::sql::Sql;
use super::{Conn, Result, Tx};
use crate::model::ids::{JobId, UserId};
use crate::model::names::names;
use crate::model::time::{Time, micros};
use std::time::Duration;

pub const JOB_RETENTION: Duration = Duration::from_hours(35 * 24);

names! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum JobState {
        /// It is done step by step, or waits for a process.
        Running = "running",
        Done = "done",
        Failed = "failed",
    }
}

#[derive(Clone, Debug)]
pub struct JobRow {
    pub id: JobId,
    pub kind: String,
    pub state: JobState,
    /// What it does exactly: a JSON object.
    pub params: String,
    pub done: i64,
    /// Of how many, once they are counted.
    pub total: Option<i64>,
    /// After what the next step begins; `None` before the first one.
    pub cursor: Option<String>,
    /// When it was begun, by the database's clock.
    pub created_at: Time,
    /// By which administrator; `None` for an operator.
    pub created_by_user_id: Option<UserId>,
    /// Which process has it: grows with each that takes it.
    pub lease: i64,
    pub finished_at: Option<Time>,
    pub error: Option<String>,
}

row!(JobRow {
    id,
    kind,
    state,
    params,
    done,
    total,
    cursor,
    created_at,
    created_by_user_id,
    lease,
    finished_at,
    error,
});

#[derive(Clone, Copy, Debug)]
pub struct NewJob<'a> {
    pub id: JobId,
    pub kind: &'a str,
    pub params: &'a str,
    pub created_by: Option<UserId>,
}

#[derive(Clone, Copy, Debug)]
pub struct JobStep<'a> {
    pub done: u64,
    pub total: u64,
    /// After what the next step begins; `None` after the last one.
    pub next: Option<&'a str>,
}

macro_rules! job {
    () => {
        "id, kind, state, params, done, total, cursor, created_at, created_by_user_id, lease, finished_at, error"
    };
}

const FIND: &str = concat!("SELECT ", job!(), " FROM jobs WHERE id = $1");
const RUNNING: &str = "SELECT id FROM jobs WHERE kind = $1 AND params = $2 AND finished_at IS NULL";
const DUE: Sql = dialect_sql!(
    sql("SELECT id FROM jobs WHERE finished_at IS NULL AND lease_until <= "),
    at("$1"),
    sql(" AND kind = $2 ORDER BY lease_until LIMIT 1"),
);
const CREATE: Sql = dialect_sql!(
    sql("INSERT INTO jobs (id, kind, state, params, done, created_at, created_by_user_id, lease, lease_until) \
         VALUES ($2, $3, 'running', $4, 0, "),
    at("$1"),
    sql(", $5, 0, "),
    at("$1"),
    sql(") ON CONFLICT (kind, params) WHERE finished_at IS NULL DO NOTHING"),
);
/// `$1` now, `$2` until when it is taken.
const TAKE: Sql = dialect_sql!(
    sql("UPDATE jobs SET lease = lease + 1, lease_until = "),
    at("$2"),
    sql(" WHERE id = (SELECT id FROM jobs WHERE finished_at IS NULL AND lease_until <= "),
    at("$1"),
    sql(" AND kind = $3 ORDER BY lease_until LIMIT 1"),
    postgres(" FOR UPDATE SKIP LOCKED"),
    sql(") AND lease_until <= "),
    at("$1"),
    sql(
        " RETURNING id, kind, state, params, done, total, cursor, created_at, created_by_user_id, lease, finished_at, \
         error"
    ),
);
/// `$1` until when it is held.
const HOLD: Sql = dialect_sql!(
    sql("UPDATE jobs SET lease_until = "),
    at("$1"),
    sql(" WHERE id = $2 AND lease = $3 AND finished_at IS NULL"),
);
const ADVANCE: &str = "UPDATE jobs SET done = done + $2, total = $3, cursor = $4 WHERE id = $1";
const FINISH: Sql =
    dialect_sql!(sql("UPDATE jobs SET state = $3, error = $4, finished_at = "), at("$1"), sql(" WHERE id = $2"));
const DELETE_OLD: &str = "DELETE FROM jobs WHERE id IN \
    (SELECT id FROM jobs WHERE finished_at < $1 ORDER BY finished_at LIMIT $2)";

impl Conn {
    pub async fn job_find(&mut self, id: JobId) -> Result<Option<JobRow>> {
        fetch_optional!(self, FIND, id)
    }

    /// The job of this kind and these parameters that is not finished.
    pub async fn job_running(&mut self, kind: &str, params: &str) -> Result<Option<JobId>> {
        fetch_optional_scalar!(self, RUNNING, kind, params)
    }

    /// Whether a job of this kind waits for a process.
    pub async fn job_is_due(&mut self, kind: &str) -> Result<bool> {
        let due: Option<JobId> = fetch_optional_scalar!(self, DUE, self.sql_now(), kind)?;
        Ok(due.is_some())
    }
}

impl Tx {
    /// Begins a job; `false` if one of the same kind and parameters is not finished.
    pub async fn job_create(&mut self, new: NewJob<'_>) -> Result<bool> {
        Ok(execute!(self, CREATE, self.sql_now(), new.id, new.kind, new.params, new.created_by)? > 0)
    }

    /// Takes a job of this kind that no process has, for this time.
    pub async fn job_take(&mut self, kind: &str, time: Duration) -> Result<Option<JobRow>> {
        let now = self.sql_now();
        fetch_optional!(self, TAKE, now, now.saturating_add(micros(time)), kind)
    }

    /// Holds a job for this time from now, and locks it; `false` if another process has taken it or it is finished.
    pub async fn job_hold(&mut self, job: &JobRow, time: Duration) -> Result<bool> {
        Ok(execute!(self, HOLD, self.sql_now().saturating_add(micros(time)), job.id, job.lease)? > 0)
    }

    /// Notes a step of a job that this transaction holds.
    pub async fn job_step(&mut self, id: JobId, step: JobStep<'_>) -> Result<()> {
        let [done, total] = [step.done, step.total].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        execute!(self, ADVANCE, id, done, total, step.next)?;
        match step.next {
            Some(_) => Ok(()),
            None => self.job_finish(id, JobState::Done, None).await,
        }
    }

    /// Ends a job that this transaction holds.
    pub async fn job_finish(&mut self, id: JobId, state: JobState, error: Option<&str>) -> Result<()> {
        execute!(self, FINISH, self.sql_now(), id, state, error).map(drop)
    }

    /// Removes at most `limit` jobs that ended before `before`; returns how many.
    pub async fn jobs_delete_finished(&mut self, before: Time, limit: i64) -> Result<u64> {
        execute!(self, DELETE_OLD, before, limit)
    }
}

#[cfg(test)]
#[path = "jobs_tests.rs"]
mod tests;
