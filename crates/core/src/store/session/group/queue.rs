//! What waits for the next statement.

use crate::model::ids::SessionId;
use crate::model::time::Time;
use crate::store::error::Result;
use crate::store::session::row::SessionRow;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

/// The number of concurrent statements: while one waits for the disk, the server works on the other.
const MAX_CONCURRENT: usize = 2;
/// The most requests of one statement; the next one takes the rest.
const MAX_GROUP: usize = 128;

/// Requests that wait for the next statement of their kind.
pub(in crate::store::session) struct GroupQueue<T> {
    waiting: Mutex<Vec<T>>,
    /// One permit for each statement under way.
    statements: Semaphore,
}

impl<T> Default for GroupQueue<T> {
    fn default() -> Self {
        Self { waiting: Mutex::default(), statements: Semaphore::new(MAX_CONCURRENT) }
    }
}

impl<T> GroupQueue<T> {
    /// Adds a request; returns whether a statement can start.
    pub(in crate::store::session) fn push(&self, request: T) -> bool {
        self.push_all([request])
    }

    /// As [`push`](Self::push), of several, which one statement takes unless too many wait already.
    pub(in crate::store::session) fn push_all(&self, requests: impl IntoIterator<Item = T>) -> bool {
        self.waiting().extend(requests);
        // If none can, one ends after this, and takes the waiting requests.
        self.statements.available_permits() > 0
    }

    /// The waiting requests, if there are any and a statement can start.
    pub(in crate::store::session) fn next_group(&self) -> Option<(SemaphorePermit<'_>, Vec<T>)> {
        let mut waiting = self.waiting();
        if waiting.is_empty() {
            return None;
        }
        let permit = self.statements.try_acquire().ok()?;
        let size = waiting.len().min(MAX_GROUP);
        let rest = waiting.split_off(size);
        Some((permit, std::mem::replace(&mut waiting, rest)))
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<T>> {
        self.waiting.lock()
    }
}

/// A refresh: the row that it was decided on, and the decision.
pub(in crate::store::session) struct Advance {
    pub(in crate::store::session) from: SessionRow,
    pub(in crate::store::session) to: SessionRow,
    /// Dropped if the statement failed.
    pub(in crate::store::session) answer: oneshot::Sender<Result<bool>>,
}

/// A session, and when the server was started that it was read from.
pub(in crate::store::session) type FoundSession = (Option<Time>, Option<SessionRow>);

pub(in crate::store::session) struct SessionRead {
    pub(in crate::store::session) id: SessionId,
    /// `None`: the server does not answer. Dropped if the statement failed otherwise.
    pub(in crate::store::session) answer: oneshot::Sender<Option<FoundSession>>,
}
