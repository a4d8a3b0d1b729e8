//! The refreshes that wait for the next statement.

use crate::store::error::Result;
use crate::store::session::row::SessionRow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

/// The number of concurrent statements: while one waits for the disk, the server works on the other.
const MAX_CONCURRENT: usize = 2;
/// The most refreshes of one statement; the next one takes the rest.
const MAX_GROUP: usize = 128;

/// The refreshes that wait for the next statement.
pub(in crate::store::session) struct SessionAdvances {
    waiting: Mutex<Vec<Advance>>,
    /// One permit for each statement under way.
    statements: Semaphore,
}

/// A refresh: the row that it was decided on, and the decision.
pub(in crate::store::session) struct Advance {
    pub(in crate::store::session) from: SessionRow,
    pub(in crate::store::session) to: SessionRow,
    /// Dropped if the statement failed.
    pub(in crate::store::session) answer: oneshot::Sender<Result<bool>>,
}

impl Default for SessionAdvances {
    fn default() -> Self {
        Self { waiting: Mutex::default(), statements: Semaphore::new(MAX_CONCURRENT) }
    }
}

impl SessionAdvances {
    /// Adds a refresh; returns whether a statement can start.
    pub(in crate::store::session) fn push(&self, advance: Advance) -> bool {
        self.waiting().push(advance);
        // If none can, one ends after this, and takes the waiting refreshes.
        self.statements.available_permits() > 0
    }

    /// The waiting refreshes, if there are any and a statement can start.
    pub(in crate::store::session) fn next_group(&self) -> Option<(SemaphorePermit<'_>, Vec<Advance>)> {
        let mut waiting = self.waiting();
        if waiting.is_empty() {
            return None;
        }
        let permit = self.statements.try_acquire().ok()?;
        let size = waiting.len().min(MAX_GROUP);
        let rest = waiting.split_off(size);
        Some((permit, std::mem::replace(&mut waiting, rest)))
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Advance>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
