//! Sessions whose refresh tokens are asked about are read ahead, thousands in one statement, so that requests seldom wait
//! for the database.

use crate::model::ids::SessionId;
use crate::model::time::Time;
use crate::store::db::Db;
use crate::store::postgres::{PostgresPool, answered};
use crate::store::session::session_store::SessionStore;
use crate::store::{Result, Store};
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;
use uuid::Uuid;

/// Half of the cache's maximum age.
const INTERVAL: Duration = Duration::from_millis(400);
/// Sessions of one statement: some milliseconds for the server.
const MAX_SESSIONS: usize = 2_048;

/// The sessions that no longer have the version, whether changed or gone; all, on another server. `LATERAL` with a `LIMIT`: see
/// [`group`](crate::store::session::group).
const FIND_CHANGED: &str = "SELECT asked.id FROM unnest($1::uuid[], $2::bigint[]) AS asked (id, version) \
     LEFT JOIN LATERAL (SELECT s.version FROM sessions s WHERE s.id = asked.id LIMIT 1) AS found ON TRUE \
     WHERE found.version IS DISTINCT FROM asked.version OR pg_postmaster_start_time() IS DISTINCT FROM $3";

impl SessionStore<'_> {
    /// Starts the task that reads ahead. On SQLite there is none, as a read costs no round trip.
    pub(in crate::store::session) fn start_read_ahead(self) {
        let Db::Postgres(pool) = &self.store.db else { return };
        if !self.store.shared.sessions.cache.is_read_ahead.swap(true, Ordering::Relaxed) {
            tokio::spawn(self.store.clone().read_ahead(pool.clone()));
        }
    }
}

impl Store {
    /// Runs until no session was asked for in the last five seconds, or until a statement fails. Requests then read for
    /// themselves, and start it again.
    async fn read_ahead(self, pool: PostgresPool) {
        let cache = &self.shared.sessions.cache;
        loop {
            tokio::time::sleep(INTERVAL).await;
            let asked = cache.asked();
            if asked.is_empty() {
                break;
            }
            if let Err(error) = self.confirm_unchanged(&pool, &asked).await {
                error.log("sessions are not read ahead");
                break;
            }
        }
        cache.is_read_ahead.store(false, Ordering::Relaxed);
    }

    async fn confirm_unchanged(&self, pool: &PostgresPool, asked: &[(SessionId, i64)]) -> Result<()> {
        let cache = &self.shared.sessions.cache;
        for some in asked.chunks(MAX_SESSIONS) {
            let started = cache.start_read();
            let changed = find_changed(pool, some, started.server()).await?;
            for (id, version) in some.iter().filter(|(id, _)| !changed.contains(id)) {
                cache.confirm(*id, *version, started.at());
            }
        }
        Ok(())
    }
}

async fn find_changed(
    pool: &PostgresPool,
    asked: &[(SessionId, i64)],
    server: Option<Time>,
) -> Result<HashSet<SessionId>> {
    let (ids, versions): (Vec<Uuid>, Vec<i64>) = asked.iter().map(|(id, version)| (id.0, *version)).unzip();
    let mut pooled = pool.acquire().await?;
    let query = sqlx::query_scalar(FIND_CHANGED).bind(ids).bind(versions).bind(server);
    let changed = answered(query.fetch_all(pooled.connection()?)).await;
    let changed: Vec<Uuid> = pooled.settle(changed)?;
    Ok(changed.into_iter().map(SessionId).collect())
}
