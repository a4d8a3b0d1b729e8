//! What a process holds of sessions in memory.

use super::group::queue::{Advance, GroupQueue, SessionRead};
use super::memory::cache::SessionCache;
use super::memory::staleness::StalenessBounds;
use super::rows::{RecentSessions, RememberedSessions};
use crate::store::status::SessionCacheUse;

/// What a process holds of sessions in memory: one field for each way to be fast.
pub(in crate::store) struct SessionState {
    /// The sessions that are served from memory.
    pub(super) cache: SessionCache,
    /// Sessions as their last refresh left them.
    pub(super) remembered: RememberedSessions,
    /// What was read of sessions for the gate.
    pub(super) recent: RecentSessions,
    /// Refreshes that wait for the next statement.
    pub(super) advances: GroupQueue<Advance>,
    /// Reads for the gate that wait for the next statement.
    pub(super) reads: GroupQueue<SessionRead>,
}

impl SessionState {
    /// With an empty memory.
    pub(in crate::store) fn new(bounds: StalenessBounds) -> Self {
        Self {
            cache: SessionCache::new(bounds),
            remembered: RememberedSessions::default(),
            recent: RecentSessions::default(),
            advances: GroupQueue::default(),
            reads: GroupQueue::default(),
        }
    }

    /// No session is served from memory before the change feed was polled.
    pub(in crate::store) fn invalidate(&self) {
        self.cache.staleness.invalidate();
        self.recent.clear();
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
