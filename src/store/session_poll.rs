//! Serving sessions from the cache, and the polls of the change feed that keep it fresh.

use super::session_view::KnownSession;
use super::staleness::CacheState;
use super::{Result, Store, StoreError};
use crate::model::ids::{SessionId, UserId};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A poll that takes longer has failed; the requests that waited for it read the database themselves.
const POLL_TIMEOUT: Duration = Duration::from_secs(1);

impl Store {
    /// The session of a user, as [`Store::session_view`] would read it now except for changes that another process made
    /// within the staleness bound: half a second, on SQLite ten milliseconds.
    pub async fn session_known(&self, id: SessionId, user: UserId) -> Result<Option<Arc<KnownSession>>> {
        if let Some(known) = self.session_from_cache(id, user) {
            return Ok(Some(known));
        }
        // Boxed: the future has four kilobytes, which would be part of every request's, and few requests need it.
        Box::pin(self.session_from_database(id, user)).await
    }

    fn session_from_cache(&self, id: SessionId, user: UserId) -> Option<Arc<KnownSession>> {
        let cache = &self.shared.sessions;
        match cache.staleness.state() {
            CacheState::Fresh => {}
            CacheState::RefreshDue => self.poll_in_background(),
            CacheState::Stale => return None,
        }
        cache.get(id, cache.epoch(id, user))
    }

    async fn session_from_database(&self, id: SessionId, user: UserId) -> Result<Option<Arc<KnownSession>>> {
        let cache = &self.shared.sessions;
        if !self.session_cache_is_fresh().await {
            return Ok(self.session_view(id).await?.map(|view| Arc::new(view.into())));
        }
        let epoch = cache.epoch(id, user);
        // The cache may have become fresh by the poll.
        if let Some(known) = cache.get(id, epoch) {
            return Ok(Some(known));
        }
        let Some(view) = self.session_view(id).await? else { return Ok(None) };
        let cacheable = view.user_id == user && view.ended_at.is_none() && view.disabled_at.is_none();
        let known = Arc::new(KnownSession::from(view));
        if cacheable {
            cache.insert(id, known.clone(), epoch);
        }
        Ok(Some(known))
    }

    /// Polls without delaying the request, unless a poll is under way.
    fn poll_in_background(&self) {
        if let Ok(cursor) = self.shared.sessions.staleness.cursor.try_lock() {
            drop(cursor);
            let store = self.clone();
            tokio::spawn(async move { store.poll_changes(CacheState::RefreshDue).await });
        }
    }

    async fn session_cache_is_fresh(&self) -> bool {
        match self.shared.sessions.staleness.state() {
            CacheState::Fresh | CacheState::RefreshDue => true,
            CacheState::Stale if self.is_sqlite() => self.poll_changes(CacheState::Stale).await,
            CacheState::Stale => {
                // In a task of its own, so that it completes even if the client disconnects: others wait for it too.
                let store = self.clone();
                tokio::spawn(async move { store.poll_changes(CacheState::Stale).await }).await.unwrap_or(false)
            }
        }
    }

    /// Polls, unless another task did so while this one waited; returns whether the cache may be used.
    async fn poll_changes(&self, because: CacheState) -> bool {
        let cache = &self.shared.sessions;
        let failures = cache.staleness.failures();
        let mut cursor = cache.staleness.cursor.lock().await;
        if cache.staleness.state() < because {
            return true;
        }
        if cache.staleness.failures() != failures {
            return false;
        }
        let poll = cache.staleness.start_poll();
        let polled = timeout(POLL_TIMEOUT, self.session_changes_since(cursor.as_ref())).await;
        match polled.unwrap_or(Err(StoreError::Database(sqlx::Error::PoolTimedOut))) {
            Ok(polled) => {
                cache.apply(polled.changes.as_deref());
                *cursor = Some(polled.cursor);
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
