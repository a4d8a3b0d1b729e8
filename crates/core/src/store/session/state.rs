//! What a process holds of sessions in memory.

use super::group::queue::{Advance, GroupQueue, SessionRead};
use super::memory::cache::SessionCache;
use super::memory::staleness::StalenessBounds;
use crate::store::status::SessionCacheUse;

/// The sessions that a process has in memory, and what waits for the next statement about some.
pub(in crate::store) struct SessionState {
    pub(super) cache: SessionCache,
    /// Refreshes that wait for the next statement.
    pub(super) advances: GroupQueue<Advance>,
    /// Reads that wait for the next statement.
    pub(super) reads: GroupQueue<SessionRead>,
}

impl SessionState {
    pub(in crate::store) fn new(bounds: StalenessBounds) -> Self {
        Self { cache: SessionCache::new(bounds), advances: GroupQueue::default(), reads: GroupQueue::default() }
    }

    /// No session is served from memory before the change feed was polled.
    pub(in crate::store) fn invalidate(&self) {
        self.cache.staleness.invalidate();
    }

    /// The sessions in memory, and how they were used.
    pub(in crate::store) fn cache_use(&self) -> SessionCacheUse {
        self.cache.in_use()
    }

    /// Closes the connection of the change feed; there is no poll while the result is held.
    pub(in crate::store) async fn close(&self) -> impl Sized + '_ {
        let mut reader = self.cache.staleness.reader.lock().await;
        reader.close();
        reader
    }
}
