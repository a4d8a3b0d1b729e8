//! The sessions that a process has in memory, each as it was read.
//!
//! An entry answers two questions.
//!
//! *Is it as in the database?* What a session shows is, under two conditions, neither of which needs a lock:
//!
//! - *The change feed was polled recently enough* ([`Staleness`]). A poll reads what the database recorded about
//!   changed sessions, users and organizations (`session_changes`), and increments the epochs of those. After every
//!   commit of this process that changes one of them, the next request waits for a poll that starts after it; so this
//!   process sees the change from the next request on. A change by another process is seen after
//!   [`StalenessBounds::max_staleness`] at the latest, as a poll that started before that is too old. There is no
//!   notification channel that could be down: if a poll fails, every request reads the database itself.
//! - *The entry's epoch is the current one.* It is taken after the session was read, and only if no change was polled
//!   meanwhile: so it is that of the read, although nobody knew before it whose session it is.
//!
//! The feed says nothing of refresh tokens, as each refresh would fill it. About them an entry answers for 0.9 seconds.
//!
//! *What was it last?* An entry of any age may propose: who acts on it has the database verify what it was decided on.

use super::cursor::SessionChange;
use super::staleness::{Staleness, StalenessBounds};
use crate::model::ids::SessionId;
use crate::model::session_view::{KnownSession, SessionView};
use crate::model::time::Time;
use crate::store::session::row::{Epoch, SessionRow, UsedSession};
use crate::store::status::SessionCacheUse;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64};
use tokio::time::Instant;
use uuid::Uuid;

/// The number of sessions that are kept: about 80 MB when full.
const CAPACITY: usize = 128 * 1024;
/// Sessions, users and organizations share this number of epochs: a change also invalidates one in this many others.
const EPOCHS: usize = 4096;
/// A change must be visible everywhere within a second (docs/reference/browser.md 8.3); what remains is left for the
/// answer.
const MAX_TOKEN_AGE_MS: u64 = 900;
/// Time after the last question about its tokens in which a session is read ahead.
const READ_AHEAD_MS: u64 = 5_000;

pub(in crate::store::session) struct SessionCache {
    sessions: Cache<SessionId, Arc<Entry>>,
    epochs: Box<[AtomicU64]>,
    /// Incremented when anything may have changed.
    generation: AtomicU64,
    /// The number of polls that reported changes, counted before their epochs are incremented.
    changes: AtomicU64,
    /// When the server of the feed was started, in microseconds; zero where there is none.
    server: AtomicI64,
    pub(in crate::store::session) staleness: Staleness,
    /// From which the milliseconds of entries count.
    start: Instant,
    /// Whether the task runs that reads ahead.
    pub(in crate::store::session) is_read_ahead: AtomicBool,
    hits: AtomicU64,
    misses: AtomicU64,
}

struct Entry {
    row: SessionRow,
    /// When the tokens were as they are here.
    tokens_at: AtomicU64,
    /// When they were last asked for; zero: never.
    asked_at: AtomicU64,
}

/// What is known before a session is read.
pub(in crate::store::session) struct StartedRead {
    changes: u64,
    server: i64,
    at: u64,
}

impl StartedRead {
    pub(in crate::store::session) fn at(&self) -> u64 {
        self.at
    }

    /// When the server was started whose feed keeps the entries fresh; only what is read from it is kept.
    pub(in crate::store::session) fn server(&self) -> Option<Time> {
        Some(self.server).filter(|started_at| *started_at != 0).map(Time::from_micros)
    }
}

impl SessionCache {
    pub(in crate::store::session) fn new(bounds: StalenessBounds) -> Self {
        Self {
            sessions: Cache::new(CAPACITY),
            epochs: (0..EPOCHS).map(|_| AtomicU64::new(0)).collect(),
            generation: AtomicU64::new(0),
            changes: AtomicU64::new(0),
            server: AtomicI64::new(0),
            staleness: Staleness::new(bounds),
            start: Instant::now(),
            is_read_ahead: AtomicBool::new(false),
            hits: AtomicU64::default(),
            misses: AtomicU64::default(),
        }
    }

    /// Counts a session that was served from memory.
    pub(in crate::store::session) fn count_hit(&self) {
        self.hits.fetch_add(1, Relaxed);
    }

    /// Counts one for which the database was read.
    pub(in crate::store::session) fn count_miss(&self) {
        self.misses.fetch_add(1, Relaxed);
    }

    /// What it holds, and how it was used.
    pub(in crate::store::session) fn in_use(&self) -> SessionCacheUse {
        SessionCacheUse {
            hits: self.hits.load(Relaxed),
            misses: self.misses.load(Relaxed),
            sessions: self.sessions.len(),
            age: self.staleness.age(),
            failed_polls: self.staleness.failures(),
        }
    }

    /// What the session shows, if that has not changed since it was read, as far as polls have reported.
    pub(in crate::store::session) fn view(&self, id: SessionId) -> Option<Arc<KnownSession>> {
        self.unchanged(id).map(|entry| entry.row.view.clone())
    }

    /// The session, if the same holds: its tokens may have been replaced since, what they are made with has not.
    pub(in crate::store::session) fn row(&self, id: SessionId) -> Option<SessionRow> {
        self.unchanged(id).map(|entry| entry.row.clone())
    }

    /// The session, if the same holds, and its tokens were as here less than 0.9 seconds ago.
    pub(in crate::store::session) fn recent(&self, id: SessionId) -> Option<SessionRow> {
        let entry = self.unchanged(id)?;
        let now = self.now();
        entry.asked_at.store(now.max(1), Relaxed);
        let age = now.saturating_sub(entry.tokens_at.load(Relaxed));
        (age < MAX_TOKEN_AGE_MS).then(|| entry.row.clone())
    }

    /// The session as it was last known here, of any age.
    pub(in crate::store::session) fn last(&self, id: SessionId) -> Option<SessionRow> {
        self.sessions.get(&id).map(|entry| entry.row.clone())
    }

    fn unchanged(&self, id: SessionId) -> Option<Arc<Entry>> {
        self.sessions.get(&id).filter(|entry| entry.row.epoch == self.epoch(id, &entry.row.view))
    }

    /// Must be called before a session is read.
    pub(in crate::store::session) fn start_read(&self) -> StartedRead {
        // The server last: it is set before a poll's changes are applied.
        let changes = self.changes.load(SeqCst);
        StartedRead { changes, server: self.server.load(SeqCst), at: self.now() }
    }

    /// Keeps a session that was read since, if it is live and nothing has changed meanwhile. Returns what was read; the
    /// view is that of before where it shows the same.
    pub(in crate::store::session) fn keep(&self, started: &StartedRead, row: SessionRow) -> SessionRow {
        let epoch = self.epoch(row.id, &row.view);
        let is_live = row.ended_at.is_none() && row.disabled_at.is_none();
        if !is_live || self.changes.load(SeqCst) != started.changes {
            return row;
        }
        let mut row = SessionRow { epoch, ..row };
        let before = self.sessions.get(&row.id).filter(|entry| entry.row.epoch == epoch);
        if let Some(before) = &before {
            if before.row.version > row.version {
                return row;
            }
            // The same for those who keep something with it, with what was recorded of its use since. It differs where
            // another process has changed it since the last poll.
            if before.row.view.shows_as(&row.view) {
                row.view = before.row.view.clone();
            }
        }
        let asked_at = before.map_or(0, |before| before.asked_at.load(Relaxed));
        self.insert(row.clone(), started.at, asked_at);
        row
    }

    /// Keeps the tokens that were committed after `at` over those of the same session.
    pub(in crate::store::session) fn replace_tokens(&self, mut row: SessionRow, at: u64) {
        row.version += 1;
        let asked_at = self.sessions.get(&row.id).map_or(0, |before| before.asked_at.load(Relaxed));
        self.insert(row, at, asked_at);
    }

    /// Records in memory that the current token has arrived. The version is the database's: one of our own counting
    /// could meet that of another change, and the read-ahead would go on confirming a token that was replaced.
    pub(in crate::store::session) fn mark_used(&self, used: &UsedSession) {
        let Some(entry) = self.sessions.get(&used.id) else { return };
        if entry.row.tokens.generation != used.generation || entry.row.version >= used.version {
            return;
        }
        let is_this_alone = used.used && !entry.row.tokens.used && used.version == entry.row.version + 1;
        if !is_this_alone {
            // Something else of the session has changed, too. Under the new version, what it was before would pass for
            // what it is.
            self.sessions.remove(&used.id);
            return;
        }
        let mut row = entry.row.clone();
        (row.tokens.used, row.version, row.last_used_at) = (true, used.version, used.last_used_at);
        self.insert(row, entry.tokens_at.load(Relaxed), entry.asked_at.load(Relaxed));
    }

    fn insert(&self, row: SessionRow, tokens_at: u64, asked_at: u64) {
        let (tokens_at, asked_at) = (AtomicU64::new(tokens_at), AtomicU64::new(asked_at));
        self.sessions.insert(row.id, Arc::new(Entry { row, tokens_at, asked_at }));
    }

    /// Those whose tokens were asked for a short time ago, with their versions.
    pub(in crate::store::session) fn asked(&self) -> Vec<(SessionId, i64)> {
        let now = self.now();
        let is_asked = |at: u64| at != 0 && now.saturating_sub(at) < READ_AHEAD_MS;
        let asked = self.sessions.iter().filter(|(_, entry)| is_asked(entry.asked_at.load(Relaxed)));
        asked.map(|(id, entry)| (id, entry.row.version)).collect()
    }

    /// The session still had this version at that moment.
    pub(in crate::store::session) fn confirm(&self, id: SessionId, version: i64, at: u64) {
        if let Some(entry) = self.sessions.get(&id).filter(|entry| entry.row.version == version) {
            entry.tokens_at.fetch_max(at, Relaxed);
        }
    }

    /// Milliseconds.
    pub(in crate::store::session) fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Sets the server of the feed before the changes of a poll are applied; returns whether it was another one. The
    /// first is not: connections that lead elsewhere show when a session is read over one.
    pub(in crate::store::session) fn set_server(&self, started_at: Option<Time>) -> bool {
        let started_at = started_at.map_or(0, Time::as_micros);
        let before = self.server.swap(started_at, SeqCst);
        before != 0 && before != started_at
    }

    /// Invalidates the entries that a poll reported; without a list, every entry.
    pub(in crate::store::session) fn apply(&self, changes: Option<&[SessionChange]>) {
        if changes.is_some_and(<[_]>::is_empty) {
            return;
        }
        self.changes.fetch_add(1, SeqCst);
        let Some(changes) = changes else {
            self.generation.fetch_add(1, SeqCst);
            return;
        };
        for change in changes {
            let id = match change {
                SessionChange::Session(id) => id.0,
                SessionChange::User(id) => id.0,
                SessionChange::Organization(id) => id.0,
            };
            self.epoch_of(id).fetch_add(1, SeqCst);
        }
    }

    fn epoch(&self, id: SessionId, view: &SessionView) -> Epoch {
        let [session, user, organization] = [id.0, view.user_id.0, view.organization_id.0].map(|id| self.epoch_of(id));
        Epoch([&self.generation, session, user, organization].into_iter().map(|epoch| epoch.load(SeqCst)).sum())
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
