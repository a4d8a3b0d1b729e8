//! Serving sessions from the cache, and the polls of the change feed that keep it fresh.

use super::cache::SessionCache;
use super::cursor::PolledChanges;
use super::reader::FeedReader;
use super::staleness::CacheState;
use crate::model::ids::SessionId;
use crate::model::session_view::KnownSession;
use crate::store::db::Db;
use crate::store::session::row::SessionRow;
use crate::store::session::session_store::SessionStore;
use crate::store::sqlite::Inline;
use crate::store::{Result, Store, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A poll that takes longer has failed; the requests that waited for it read the database themselves.
const POLL_TIMEOUT: Duration = Duration::from_secs(1);

const VERSION: &str = "SELECT version FROM sessions WHERE id = $1";

impl SessionStore<'_> {
    /// The session, as [`Self::get`] would read it now except for changes that another process made within the
    /// staleness bound: half a second, on SQLite ten milliseconds.
    pub async fn get_cached(&self, id: SessionId) -> Result<Option<Arc<KnownSession>>> {
        if let Some(known) = self.store.in_memory(|cache| cache.view(id)).await {
            return Ok(Some(known));
        }
        // Boxed: the future would be part of every request's, and few requests need it.
        Box::pin(self.get(id)).await
    }

    /// The session if it is in memory, as [`Self::get_cached`] shows it: its tokens may have been replaced since. Nothing
    /// is read of one that is not.
    pub async fn in_memory(&self, id: SessionId) -> Option<SessionRow> {
        self.store.in_memory(|cache| cache.row(id)).await
    }

    /// What decides on a refresh token of the session, with its tokens at most 0.9 seconds old, if it is in memory. That
    /// is enough to accept one; before one is refused, [`Self::read`] it.
    pub async fn recent(&self, id: SessionId) -> Option<SessionRow> {
        if let Some(row) = self.store.in_memory(|cache| cache.recent(id)).await {
            return Some(row);
        }
        match &self.store.db {
            Db::Sqlite(db) => self.store.confirm_inline(db.inline(), id),
            Db::Postgres(_) => {
                self.start_read_ahead();
                None
            }
        }
    }

    /// The session as it was last known in this process, where deciding on it saves a round trip: a refresh may propose
    /// on it, and [`Self::advance_remembered`] verifies that it was current.
    pub fn remembered(&self, id: SessionId) -> Option<SessionRow> {
        match &self.store.db {
            Db::Sqlite(_) => None,
            Db::Postgres(_) => self.store.shared.sessions.cache.last(id),
        }
    }
}

impl Store {
    /// What the cache answers, after a poll if one is due; nothing if it may not answer.
    async fn in_memory<T>(&self, answer: impl FnOnce(&SessionCache) -> Option<T>) -> Option<T> {
        let cache = &self.shared.sessions.cache;
        let answer = if self.is_feed_recent().await { answer(cache) } else { None };
        if answer.is_some() {
            cache.count_hit();
        } else {
            cache.count_miss();
        }
        answer
    }

    /// Whether what was last polled is recent enough to answer from memory, after a poll if one is due.
    pub(in crate::store) async fn is_feed_recent(&self) -> bool {
        match self.shared.sessions.cache.staleness.state() {
            CacheState::Fresh => true,
            CacheState::RefreshDue => {
                self.poll_in_background();
                true
            }
            // Boxed: the future has kilobytes, which would be part of every request's.
            CacheState::Stale => Box::pin(self.poll_before_request()).await,
        }
    }

    /// Where only the tokens are too old to answer: whether they are still as in memory takes a look-up of one number,
    /// a fraction of what reading the session takes.
    fn confirm_inline(&self, inline: &Inline, id: SessionId) -> Option<SessionRow> {
        let cache = &self.shared.sessions.cache;
        if cache.staleness.state() == CacheState::Stale {
            return None;
        }
        // Of what has changed otherwise, everything is read anyway.
        cache.view(id)?;
        let at = cache.now();
        let version = inline.first(VERSION, [id.0.as_bytes()], |row| row.get::<_, i64>(0)).ok()??;
        cache.confirm(id, version, at);
        cache.recent(id)
    }

    /// Polls without delaying the request, unless a poll is under way.
    fn poll_in_background(&self) {
        if let Ok(reader) = self.shared.sessions.cache.staleness.reader.try_lock() {
            drop(reader);
            let store = self.clone();
            tokio::spawn(async move { store.poll_changes(CacheState::RefreshDue).await });
        }
    }

    /// A session was read from another server than the feed: one of the two connections leads to a server that the
    /// service is no longer meant to use. Both are made again.
    pub(in crate::store::session) fn doubt_server(&self) {
        let staleness = &self.shared.sessions.cache.staleness;
        if let Ok(mut reader) = staleness.reader.try_lock()
            && reader.doubt()
        {
            self.db.renew_connections();
            staleness.invalidate();
        }
    }

    async fn poll_before_request(&self) -> bool {
        if self.is_sqlite() {
            return self.poll_changes(CacheState::Stale).await;
        }
        // In a task of its own, so that it completes even if the client disconnects: others wait for it too.
        let store = self.clone();
        tokio::spawn(async move { store.poll_changes(CacheState::Stale).await }).await.unwrap_or(false)
    }

    async fn poll_feed(&self, reader: &mut FeedReader) -> Result<PolledChanges> {
        match &self.db {
            Db::Sqlite(db) => reader.poll_sqlite(db.inline()),
            Db::Postgres(pool) => reader.poll_postgres(pool).await,
        }
    }

    /// Polls, unless another task did so while this one waited; returns whether the cache may be used.
    async fn poll_changes(&self, because: CacheState) -> bool {
        let cache = &self.shared.sessions.cache;
        let failures = cache.staleness.failures();
        let mut reader = cache.staleness.reader.lock().await;
        if cache.staleness.state() < because {
            return true;
        }
        if cache.staleness.failures() != failures {
            return false;
        }
        let poll = cache.staleness.start_poll();
        let polled = timeout(POLL_TIMEOUT, self.poll_feed(&mut reader)).await;
        match polled.unwrap_or(Err(StoreError::Database(sqlx::Error::PoolTimedOut))) {
            Ok(polled) => {
                if cache.set_server(polled.cursor.server.started_at) {
                    self.db.renew_connections();
                }
                cache.apply(polled.changes.as_deref());
                self.shared.providers.note_poll(polled.providers, polled.changes.is_some());
                cache.staleness.finish_poll(&poll);
                true
            }
            Err(error) => {
                cache.staleness.fail_poll();
                tracing::debug!(target: "doorward::store::session::memory::lookup", %error, "what changed about sessions is not known: every request reads the database");
                false
            }
        }
    }
}
