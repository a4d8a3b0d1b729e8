//! Rows of sessions in memory.

use super::row::{RecentSession, SessionRow};
use crate::model::ids::SessionId;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tokio::time::Instant;

/// The number of sessions that each keeps: about 12 MB when full.
const CAPACITY: usize = 32 * 1024;
/// A change must be visible everywhere within a second (docs/protocol.md 8.3); what remains is left for the answer.
const MAX_AGE_MS: u64 = 900;
/// Time after the last request in which a session is read ahead.
const READ_AHEAD_MS: u64 = 5_000;

/// Sessions as their last refresh in this process left them.
pub(super) struct RememberedSessions(pub(super) Cache<SessionId, SessionRow>);

impl Default for RememberedSessions {
    fn default() -> Self {
        Self(Cache::new(CAPACITY))
    }
}

/// What was read of sessions for the gate, and when.
pub(super) struct RecentSessions {
    sessions: Cache<SessionId, Arc<Recent>>,
    /// From which the milliseconds of [`Recent`] count.
    start: Instant,
    /// Whether the task runs that reads them ahead.
    pub(super) is_read_ahead: AtomicBool,
}

struct Recent {
    session: Arc<RecentSession>,
    read_at: AtomicU64,
    asked_at: AtomicU64,
}

impl Default for RecentSessions {
    fn default() -> Self {
        Self { sessions: Cache::new(CAPACITY), start: Instant::now(), is_read_ahead: AtomicBool::new(false) }
    }
}

impl RecentSessions {
    /// Milliseconds.
    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Forgets all.
    pub(super) fn clear(&self) {
        self.sessions.clear();
    }

    /// The session, if it was read less than 0.9 seconds ago.
    pub(super) fn get(&self, id: SessionId) -> Option<Arc<RecentSession>> {
        let now = self.now();
        let recent = self.sessions.get(&id)?;
        recent.asked_at.store(now, Ordering::Relaxed);
        let age = now.saturating_sub(recent.read_at.load(Ordering::Relaxed));
        (age < MAX_AGE_MS).then(|| recent.session.clone())
    }

    /// Keeps what was read at that moment.
    pub(super) fn insert(&self, id: SessionId, session: Arc<RecentSession>, read_at: u64) {
        let recent = Recent { session, read_at: AtomicU64::new(read_at), asked_at: AtomicU64::new(read_at) };
        self.sessions.insert(id, Arc::new(recent));
    }

    /// Those that were asked for a short time ago, with their versions; forgets the others.
    pub(super) fn asked(&self) -> Vec<(SessionId, i64)> {
        let now = self.now();
        self.sessions.retain(|_, recent| now.saturating_sub(recent.asked_at.load(Ordering::Relaxed)) < READ_AHEAD_MS);
        self.sessions.iter().map(|(id, recent)| (id, recent.session.version)).collect()
    }

    /// The session still had this version at that moment.
    pub(super) fn confirm(&self, id: SessionId, version: i64, read_at: u64) {
        if let Some(recent) = self.sessions.get(&id).filter(|recent| recent.session.version == version) {
            recent.read_at.fetch_max(read_at, Ordering::Relaxed);
        }
    }
}
