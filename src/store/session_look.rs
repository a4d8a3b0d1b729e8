//! The looks at the database that make the sessions in memory trustworthy.

use super::session_cache::Trust;
use super::session_read::KnownSession;
use super::{Result, Store, StoreError};
use crate::model::ids::{SessionId, UserId};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// A look that takes longer has failed; the requests that waited for it read the database themselves.
const PATIENCE: Duration = Duration::from_secs(1);

impl Store {
    /// The session of a user, as [`Store::session_view`] would read it at this moment but for what another process
    /// changed within the last half second, on SQLite the last hundredth.
    pub async fn session_known(&self, id: SessionId, user: UserId) -> Result<Option<Arc<KnownSession>>> {
        if let Some(known) = self.session_in_memory(id, user) {
            return Ok(Some(known));
        }
        // In a box: these are four kilobytes, which every request would carry about, and next to none needs.
        Box::pin(self.session_read_anew(id, user)).await
    }

    fn session_in_memory(&self, id: SessionId, user: UserId) -> Option<Arc<KnownSession>> {
        let cache = &self.shared.sessions;
        match cache.freshness.trust() {
            Trust::Fresh => {}
            Trust::Due => self.begin_look(),
            Trust::Stale => return None,
        }
        cache.get(id, cache.epoch(id, user))
    }

    async fn session_read_anew(&self, id: SessionId, user: UserId) -> Result<Option<Arc<KnownSession>>> {
        let cache = &self.shared.sessions;
        if !self.sessions_are_fresh().await {
            return Ok(self.session_view(id).await?.map(|view| Arc::new(view.into())));
        }
        let epoch = cache.epoch(id, user);
        // A look may just have shown that it may be taken from there.
        if let Some(known) = cache.get(id, epoch) {
            return Ok(Some(known));
        }
        let Some(view) = self.session_view(id).await? else { return Ok(None) };
        let lasting = view.user_id == user && view.ended_at.is_none() && view.disabled_at.is_none();
        let known = Arc::new(KnownSession::from(view));
        if lasting {
            cache.insert(id, known.clone(), epoch);
        }
        Ok(Some(known))
    }

    /// Looks beside the request, unless a look is under way.
    fn begin_look(&self) {
        if let Ok(place) = self.shared.sessions.freshness.place.try_lock() {
            drop(place);
            let store = self.clone();
            tokio::spawn(async move { store.look_at_sessions(Trust::Due).await });
        }
    }

    async fn sessions_are_fresh(&self) -> bool {
        match self.shared.sessions.freshness.trust() {
            Trust::Fresh | Trust::Due => true,
            Trust::Stale if self.is_sqlite() => self.look_at_sessions(Trust::Stale).await,
            Trust::Stale => {
                // To its end, even if the client hangs up: others wait for it too.
                let store = self.clone();
                tokio::spawn(async move { store.look_at_sessions(Trust::Stale).await }).await.unwrap_or(false)
            }
        }
    }

    /// Looks, unless somebody else has done so while this one waited; tells whether memory can be trusted.
    async fn look_at_sessions(&self, because: Trust) -> bool {
        let cache = &self.shared.sessions;
        let failures = cache.freshness.failures();
        let mut place = cache.freshness.place.lock().await;
        if cache.freshness.trust() < because {
            return true;
        }
        if cache.freshness.failures() != failures {
            return false;
        }
        let begun = cache.freshness.begin();
        let looked = timeout(PATIENCE, self.session_changes_since(place.as_ref())).await;
        match looked.unwrap_or(Err(StoreError::Database(sqlx::Error::PoolTimedOut))) {
            Ok(look) => {
                cache.apply(look.changes.as_deref());
                *place = Some(look.place);
                cache.freshness.end(&begun);
                true
            }
            Err(error) => {
                cache.freshness.fail();
                tracing::debug!(%error, "what changed about sessions is not known: every request reads the database");
                false
            }
        }
    }
}
