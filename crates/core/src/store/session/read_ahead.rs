//! Sessions of the gate are read ahead, thousands in one statement, so that requests seldom wait for the database.

use super::door::SessionStore;
use crate::model::ids::SessionId;
use crate::store::handle::Db;
use crate::store::postgres::{PostgresPool, answered};
use crate::store::{Result, Store};
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;
use uuid::Uuid;

/// Half of the cache's maximum age.
const INTERVAL: Duration = Duration::from_millis(400);
/// Sessions of one statement: some milliseconds for the server.
const MAX_SESSIONS: usize = 2_048;

/// The sessions that no longer have the version, whether changed or gone. `LATERAL` with a `LIMIT`: see
/// [`super::group`].
const FIND_CHANGED: &str = "SELECT asked.id FROM unnest($1::uuid[], $2::bigint[]) AS asked (id, version) \
     LEFT JOIN LATERAL (SELECT s.version FROM sessions s WHERE s.id = asked.id LIMIT 1) AS found ON TRUE \
     WHERE found.version IS DISTINCT FROM asked.version";

impl SessionStore<'_> {
    /// Starts the task that reads ahead. On SQLite there is none, as a read costs no round trip.
    pub(super) fn start_read_ahead(self) {
        let Db::Postgres(pool) = &self.store.db else { return };
        if !self.store.shared.sessions.recent.is_read_ahead.swap(true, Ordering::Relaxed) {
            tokio::spawn(self.store.clone().read_ahead(pool.clone()));
        }
    }
}

impl Store {
    /// Runs until no session was asked for in the last five seconds, or until a statement fails. Requests then read for
    /// themselves, and start it again.
    async fn read_ahead(self, pool: PostgresPool) {
        let recents = &self.shared.sessions.recent;
        loop {
            tokio::time::sleep(INTERVAL).await;
            let asked = recents.asked();
            if asked.is_empty() {
                break;
            }
            if let Err(error) = self.confirm_unchanged(&pool, &asked).await {
                error.log("sessions are not read ahead");
                break;
            }
        }
        recents.is_read_ahead.store(false, Ordering::Relaxed);
    }

    async fn confirm_unchanged(&self, pool: &PostgresPool, asked: &[(SessionId, i64)]) -> Result<()> {
        let recents = &self.shared.sessions.recent;
        for some in asked.chunks(MAX_SESSIONS) {
            let read_at = recents.now();
            let changed = find_changed(pool, some).await?;
            for (id, version) in some.iter().filter(|(id, _)| !changed.contains(id)) {
                recents.confirm(*id, *version, read_at);
            }
        }
        Ok(())
    }
}

async fn find_changed(pool: &PostgresPool, asked: &[(SessionId, i64)]) -> Result<HashSet<SessionId>> {
    let (ids, versions): (Vec<Uuid>, Vec<i64>) = asked.iter().map(|(id, version)| (id.0, *version)).unzip();
    let mut pooled = pool.acquire().await?;
    let found = answered(sqlx::query_scalar(FIND_CHANGED).bind(ids).bind(versions).fetch_all(pooled.connection()?));
    let changed = found.await;
    let changed: Vec<Uuid> = pooled.settle(changed)?;
    Ok(changed.into_iter().map(SessionId).collect())
}
