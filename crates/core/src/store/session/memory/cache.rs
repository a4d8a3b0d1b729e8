//! The session cache: sessions in memory, each served only while nothing can have changed about it.
//!
//! A session is served from memory under two conditions, neither of which needs a lock:
//!
//! - *The change feed was polled recently enough* ([`Staleness`]). A poll reads what the database recorded about
//!   changed sessions and users (`session_changes`), and increments the epochs of those. After every commit of this
//!   process that changes a session or a user, the next request waits for a poll that starts after it; so this process
//!   sees the change from the next request on. A change by another process is seen after
//!   [`StalenessBounds::max_staleness`] at the latest, as a poll that started before that is too old. There is no
//!   notification channel that could be down: if a poll fails, every request reads the database itself.
//! - *The session's epoch is the one from before it was read.* The epoch is taken before the database is read, so a
//!   change that commits during the read leaves an entry behind that is never used.

use super::cursor::SessionChange;
use super::staleness::{Staleness, StalenessBounds};
use crate::metrics::Tally;
use crate::model::ids::{SessionId, UserId};
use crate::model::session_view::KnownSession;
use crate::model::time::Time;
use crate::store::status::SessionCacheUse;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicI64, AtomicU64};
use uuid::Uuid;

/// The number of sessions that are cached: about 50 MB when full.
const CAPACITY: usize = 128 * 1024;
/// Sessions and users share this number of epochs: a change also invalidates one in this many others.
const EPOCHS: usize = 4096;

/// The sessions of one process.
pub(in crate::store::session) struct SessionCache {
    sessions: Cache<SessionId, CachedSession>,
    epochs: Box<[AtomicU64]>,
    /// Incremented when anything may have changed.
    generation: AtomicU64,
    /// When the server of the feed was started, in microseconds; zero where there is none.
    server: AtomicI64,
    pub(in crate::store::session) staleness: Staleness,
    hits: Tally,
    misses: Tally,
}

#[derive(Clone)]
struct CachedSession {
    session: Arc<KnownSession>,
    epoch: Epoch,
}

/// The sum of the generation and of the epochs of session and user, from before the session was read. Each of them only
/// grows, so the sum is unchanged only while each of them is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::store::session) struct Epoch(u64);

impl SessionCache {
    pub(in crate::store::session) fn new(bounds: StalenessBounds) -> Self {
        Self {
            sessions: Cache::new(CAPACITY),
            epochs: (0..EPOCHS).map(|_| AtomicU64::new(0)).collect(),
            generation: AtomicU64::new(0),
            server: AtomicI64::new(0),
            staleness: Staleness::new(bounds),
            hits: Tally::default(),
            misses: Tally::default(),
        }
    }

    /// Counts a session that was served from memory.
    pub(in crate::store::session) fn count_hit(&self) {
        self.hits.count();
    }

    /// Counts one for which the database was read.
    pub(in crate::store::session) fn count_miss(&self) {
        self.misses.count();
    }

    /// What it holds, and how it was used.
    pub(in crate::store::session) fn in_use(&self) -> SessionCacheUse {
        SessionCacheUse {
            hits: self.hits.total(),
            misses: self.misses.total(),
            sessions: self.sessions.len(),
            age: self.staleness.age(),
            failed_polls: self.staleness.failures(),
        }
    }

    /// Must be taken before the session is looked up, here or in the database.
    pub(in crate::store::session) fn epoch(&self, session: SessionId, user: UserId) -> Epoch {
        let epochs = [&self.generation, self.epoch_of(session.0), self.epoch_of(user.0)];
        Epoch(epochs.into_iter().map(|epoch| epoch.load(SeqCst)).sum())
    }

    pub(in crate::store::session) fn get(&self, id: SessionId, epoch: Epoch) -> Option<Arc<KnownSession>> {
        self.sessions.get(&id).filter(|entry| entry.epoch == epoch).map(|entry| entry.session)
    }

    /// Caches a session that was read after `epoch` was taken.
    pub(in crate::store::session) fn insert(&self, id: SessionId, session: Arc<KnownSession>, epoch: Epoch) {
        self.sessions.insert(id, CachedSession { session, epoch });
    }

    /// When the server was started whose feed keeps the entries fresh; only what was read from it may be cached.
    pub(in crate::store::session) fn server(&self) -> Option<Time> {
        Some(self.server.load(SeqCst)).filter(|started_at| *started_at != 0).map(Time::from_micros)
    }

    /// Sets the server of the feed before the changes of a poll are applied; returns whether it was another one.
    pub(in crate::store::session) fn set_server(&self, started_at: Option<Time>) -> bool {
        let started_at = started_at.map_or(0, Time::as_micros);
        self.server.swap(started_at, SeqCst) != started_at
    }

    /// Invalidates the entries that a poll reported; without a list, every entry.
    pub(in crate::store::session) fn apply(&self, changes: Option<&[SessionChange]>) {
        let Some(changes) = changes else {
            self.generation.fetch_add(1, SeqCst);
            return;
        };
        for change in changes {
            let id = match change {
                SessionChange::Session(id) => id.0,
                SessionChange::User(id) => id.0,
            };
            self.epoch_of(id).fetch_add(1, SeqCst);
        }
    }

    /// The last bytes of an id are random.
    fn epoch_of(&self, id: Uuid) -> &AtomicU64 {
        let [.., a, b] = id.into_bytes();
        &self.epochs[usize::from(u16::from_le_bytes([a, b])) % EPOCHS]
    }
}

#[cfg(test)]
#[path = "cache_tests.rs"]
mod tests;
