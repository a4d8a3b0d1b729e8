//! Sessions in memory, each only as long as nothing can have changed about it.
//!
//! Two questions are asked before a session is taken from memory, and neither needs a lock:
//!
//! - *Was the database looked at lately enough?* [`Freshness`] tells. A look reads what the database noted about changed
//!   sessions and users (`session_changes`), and raises the epochs of those. After every commit of this process that
//!   alters a session or a user, the next request waits for a look that began after it; so here the change is seen from
//!   the very next request. What another process changed is seen after [`Limits::trusted`] at the latest, as a look that
//!   began before that is not trusted. There is no channel that could be down: a look that fails is no look, and then
//!   every request reads the database itself.
//! - *Is the session's epoch still the one from before it was read?* The epoch is taken before the database is read, so
//!   that a change which commits while it is read leaves an entry behind that is never used.

use super::session_changes::{Change, Place};
use super::session_read::KnownSession;
use crate::model::ids::{SessionId, UserId};
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;
use uuid::Uuid;

/// Sessions that are kept: some 50 MB when full.
pub const SESSIONS_KEPT: usize = 128 * 1024;
/// Sessions and users share this many epochs: a change also makes one in so many others be read again.
const EPOCHS: usize = 4096;

/// How old a look may be.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// From then on the next look is begun beside the requests, which do not wait for it.
    pub(super) renewed: Duration,
    /// From then on requests wait for the next look.
    pub(super) trusted: Duration,
}

impl Limits {
    /// A look costs a few microseconds, on the thread of the request that needs it.
    pub(super) const SQLITE: Limits = Limits { renewed: Duration::from_millis(10), trusted: Duration::from_millis(10) };
    /// A look costs a round trip. Half of the second within which others must see a change (contract.md 4) is left for
    /// the request itself.
    pub(super) const POSTGRES: Limits =
        Limits { renewed: Duration::from_millis(100), trusted: Duration::from_millis(500) };
}

/// The sessions of one process.
pub(super) struct SessionCache {
    known: Cache<SessionId, Entry>,
    epochs: Box<[AtomicU64]>,
    /// Raised when anything may have changed.
    era: AtomicU64,
    pub(super) freshness: Freshness,
}

#[derive(Clone)]
struct Entry {
    session: Arc<KnownSession>,
    epoch: Epoch,
}

/// What was the case before a session was read: the sum of the era and of the epochs of session and user. Each of them
/// only grows, so it is the same only while each is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Epoch(u64);

impl SessionCache {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            known: Cache::new(SESSIONS_KEPT),
            epochs: (0..EPOCHS).map(|_| AtomicU64::new(0)).collect(),
            era: AtomicU64::new(0),
            freshness: Freshness::new(limits),
        }
    }

    /// To be taken before the session is looked for, here or in the database.
    pub(super) fn epoch(&self, session: SessionId, user: UserId) -> Epoch {
        let epochs = [&self.era, self.epoch_of(session.0), self.epoch_of(user.0)];
        Epoch(epochs.into_iter().map(|epoch| epoch.load(SeqCst)).sum())
    }

    pub(super) fn get(&self, id: SessionId, epoch: Epoch) -> Option<Arc<KnownSession>> {
        self.known.get(&id).filter(|entry| entry.epoch == epoch).map(|entry| entry.session)
    }

    /// Keeps a session that was read after `epoch` was taken.
    pub(super) fn insert(&self, id: SessionId, session: Arc<KnownSession>, epoch: Epoch) {
        self.known.insert(id, Entry { session, epoch });
    }

    /// Makes what a look found come true.
    pub(super) fn apply(&self, changes: Option<&[Change]>) {
        let Some(changes) = changes else {
            self.era.fetch_add(1, SeqCst);
            return;
        };
        for change in changes {
            let id = match change {
                Change::Session(id) => id.0,
                Change::User(id) => id.0,
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

/// When the database was last looked at, and since when it must be.
pub(super) struct Freshness {
    limits: Limits,
    origin: Instant,
    /// How often this process has committed a change to a session or a user.
    demanded: AtomicU64,
    /// What `demanded` was when the last look began.
    answered: AtomicU64,
    /// When the last look began, in microseconds after `origin`.
    looked_at: AtomicU64,
    /// Looks that failed.
    failures: AtomicU64,
    /// One look at a time; the place is where the next one goes on.
    pub(super) place: Mutex<Option<Place>>,
}

/// What may be said about what is in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// It holds.
    Fresh,
    /// It holds, and a look is due.
    Due,
    /// The database must be looked at first.
    Stale,
}

/// A look that has begun.
pub(super) struct Begun {
    demanded: u64,
    at: u64,
}

impl Freshness {
    fn new(limits: Limits) -> Self {
        Self {
            limits,
            origin: Instant::now(),
            // Ahead of `answered`: before the first look nothing is fresh.
            demanded: AtomicU64::new(1),
            answered: AtomicU64::new(0),
            looked_at: AtomicU64::new(0),
            failures: AtomicU64::new(0),
            place: Mutex::new(None),
        }
    }

    /// The next request must wait for a look that begins after this moment.
    pub(super) fn demand(&self) {
        self.demanded.fetch_add(1, SeqCst);
    }

    pub(super) fn trust(&self) -> Trust {
        self.trust_at(self.micros())
    }

    fn trust_at(&self, now: u64) -> Trust {
        if self.answered.load(SeqCst) < self.demanded.load(SeqCst) {
            return Trust::Stale;
        }
        let age = Duration::from_micros(now.saturating_sub(self.looked_at.load(SeqCst)));
        if age >= self.limits.trusted {
            Trust::Stale
        } else if age >= self.limits.renewed {
            Trust::Due
        } else {
            Trust::Fresh
        }
    }

    pub(super) fn begin(&self) -> Begun {
        self.begin_at(self.micros())
    }

    fn begin_at(&self, now: u64) -> Begun {
        Begun { demanded: self.demanded.load(SeqCst), at: now }
    }

    /// Says that a look is over and what it found was applied.
    pub(super) fn end(&self, begun: &Begun) {
        self.looked_at.fetch_max(begun.at, SeqCst);
        self.answered.fetch_max(begun.demanded, SeqCst);
    }

    pub(super) fn failures(&self) -> u64 {
        self.failures.load(SeqCst)
    }

    pub(super) fn fail(&self) {
        self.failures.fetch_add(1, SeqCst);
    }

    fn micros(&self) -> u64 {
        u64::try_from(self.origin.elapsed().as_micros()).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
#[path = "session_cache_tests.rs"]
mod tests;
