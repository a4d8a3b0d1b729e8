//! Serving sessions from the cache, and the polls of the change feed that keep it fresh.

use super::cursor::PolledChanges;
use super::reader::FeedReader;
use super::staleness::CacheState;
use crate::model::ids::{SessionId, UserId};
use crate::model::session_view::KnownSession;
use crate::store::handle::Db;
use crate::store::session::door::SessionStore;
use crate::store::{Result, Store, StoreError};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A poll that takes longer has failed; the requests that waited for it read the database themselves.
const POLL_TIMEOUT: Duration = Duration::from_secs(1);

impl SessionStore<'_> {
    /// The session of a user, as [`Self::get`] would read it now except for changes that another process made
    /// within the staleness bound: half a second, on SQLite ten milliseconds.
    pub async fn get_cached(&self, id: SessionId, user: UserId) -> Result<Option<Arc<KnownSession>>> {
        if let Some(known) = self.store.session_from_cache(id, user) {
            self.store.shared.sessions.cache.count_hit();
            return Ok(Some(known));
        }
        // Boxed: the future has four kilobytes, which would be part of every request's, and few requests need it.
        Box::pin(self.store.session_from_database(id, user)).await
    }
}

impl Store {
    fn session_from_cache(&self, id: SessionId, user: UserId) -> Option<Arc<KnownSession>> {
        let cache = &self.shared.sessions.cache;
        match cache.staleness.state() {
            CacheState::Fresh => {}
            CacheState::RefreshDue => self.poll_in_background(),
            CacheState::Stale => return None,
        }
        cache.get(id, cache.epoch(id, user))
    }

    async fn session_from_database(&self, id: SessionId, user: UserId) -> Result<Option<Arc<KnownSession>>> {
        let cache = &self.shared.sessions.cache;
        if !self.session_cache_is_fresh().await {
            cache.count_miss();
            return Ok(self.sessions().get(id).await?.map(|view| Arc::new(view.into())));
        }
        // The server of the feed after the epoch, which rises when it changes.
        let (epoch, server) = (cache.epoch(id, user), cache.server());
        // The cache may have become fresh by the poll.
        if let Some(known) = cache.get(id, epoch) {
            cache.count_hit();
            return Ok(Some(known));
        }
        cache.count_miss();
        let (read_from, view) = self.sessions().get_with_server(id).await?;
        let Some(view) = view else { return Ok(None) };
        let cacheable = view.user_id == user && view.ended_at.is_none() && view.disabled_at.is_none();
        let known = Arc::new(KnownSession::from(view));
        if read_from != server {
            self.doubt_server();
        } else if cacheable {
            cache.insert(id, known.clone(), epoch);
        }
        Ok(Some(known))
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
    fn doubt_server(&self) {
        let staleness = &self.shared.sessions.cache.staleness;
        if let Ok(mut reader) = staleness.reader.try_lock()
            && reader.doubt()
        {
            self.renew_connections();
            staleness.invalidate();
        }
    }

    async fn session_cache_is_fresh(&self) -> bool {
        match self.shared.sessions.cache.staleness.state() {
            CacheState::Fresh | CacheState::RefreshDue => true,
            CacheState::Stale if self.is_sqlite() => self.poll_changes(CacheState::Stale).await,
            CacheState::Stale => {
                // In a task of its own, so that it completes even if the client disconnects: others wait for it too.
                let store = self.clone();
                tokio::spawn(async move { store.poll_changes(CacheState::Stale).await }).await.unwrap_or(false)
            }
        }
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
                    self.renew_connections();
                }
                cache.apply(polled.changes.as_deref());
                cache.staleness.finish_poll(&poll);
                true
            }
            Err(error) => {
                cache.staleness.fail_poll();
                tracing::debug!(%error, "what changed about sessions is not known: every request reads the database");
                false
            }
        }
    }
}
