//! One line in the log when SQLite commits nothing any more, as on a full disk, and one when it does again: a line for each
//! refused write would go onto that disk.

use crate::store::StoreError;
use std::time::Duration;
use tokio::time::Instant;

/// It commits again when a commit succeeds and none has failed for this time: what needs no new page passes meanwhile.
const QUIET: Duration = Duration::from_secs(5);

/// Why a finished transaction was not committed.
#[derive(Clone, Debug)]
pub(super) enum Uncommitted {
    /// The commit failed, which has its line in the log.
    Commit(String),
    /// It was rolled back with others.
    Group(&'static str),
}

impl From<Uncommitted> for StoreError {
    fn from(refusal: Uncommitted) -> Self {
        match refusal {
            Uncommitted::Commit(error) => StoreError::CommitFailed(error),
            Uncommitted::Group(why) => StoreError::NotCommitted(why.to_owned()),
        }
    }
}

#[derive(Default)]
pub(super) struct Refusals(Option<Times>);

struct Times {
    began: Instant,
    last: Instant,
}

impl Refusals {
    /// Whether commits failed, and none has succeeded after a quiet time.
    pub(super) fn is_refusing(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn failed(&mut self, error: &sqlx::Error) {
        let now = Instant::now();
        if let Some(times) = &mut self.0 {
            times.last = now;
            tracing::debug!(target: "doorward::store::sqlite::refusals", error = %error, "the database did not commit");
        } else {
            self.0 = Some(Times { began: now, last: now });
            tracing::error!(target: "doorward::store::sqlite::refusals", error = %error, "the database does not commit");
        }
    }

    pub(super) fn committed(&mut self) {
        if let Some(Times { began, .. }) = self.0.take_if(|times| times.last.elapsed() >= QUIET) {
            let took = began.elapsed().as_secs();
            tracing::info!(target: "doorward::store::sqlite::refusals", "the database commits again after {took} s");
        }
    }
}
