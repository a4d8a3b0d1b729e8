//! Grouped reads: after a start or a while of silence many requests of the gate read at once.

use crate::model::ids::SessionId;
use crate::store::postgres::{PostgresPool, answered};
use crate::store::session::door::SessionStore;
use crate::store::session::group::queue::SessionRead;
use crate::store::session::row::RecentSession;
use crate::store::{Result, Store};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;

/// `LATERAL` with a `LIMIT` makes the planner look up each session by its id even when its statistics say that the
/// table is nearly empty.
const FIND_ALL: &str = "SELECT found.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (SELECT s.id, \
     s.user_id, s.nonce, s.generation, s.issued_at, s.used, s.parent_generation, s.parent_issued_at, s.replaced_at, \
     s.version \
     FROM sessions s WHERE s.id = asked.id LIMIT 1) AS found";

type Found = HashMap<SessionId, Arc<RecentSession>>;

struct FoundRow {
    id: SessionId,
    session: RecentSession,
}

impl sqlx::FromRow<'_, sqlx::postgres::PgRow> for FoundRow {
    fn from_row(row: &sqlx::postgres::PgRow) -> sqlx::Result<Self> {
        use sqlx::Row as _;
        Ok(Self { id: row.try_get("id")?, session: RecentSession::from_row(row)? })
    }
}

impl SessionStore<'_> {
    /// Reads a session together with others that are read at the same time.
    pub(in crate::store::session) async fn read_together(
        &self,
        pool: &PostgresPool,
        id: SessionId,
    ) -> Result<Option<Arc<RecentSession>>> {
        let (answer, answered) = oneshot::channel();
        if self.store.shared.sessions.reads.push(SessionRead { id, answer }) {
            // In a task of its own rather than in the first request, as others wait for it too.
            tokio::spawn(self.store.clone().read_sessions(pool.clone()));
        }
        match answered.await {
            Ok(session) => Ok(session),
            Err(_) => Ok(find_all(pool, vec![id]).await?.remove(&id)),
        }
    }
}

impl Store {
    async fn read_sessions(self, pool: PostgresPool) {
        while let Some((_permit, group)) = self.shared.sessions.reads.next_group() {
            self.shared.statements.fetch_add(1, Ordering::Relaxed);
            match find_all(&pool, group.iter().map(|read| read.id).collect()).await {
                Ok(found) => {
                    for read in group {
                        // The receiver is gone if its request was aborted.
                        let _ = read.answer.send(found.get(&read.id).cloned());
                    }
                }
                Err(error) => error.log("sessions are read one by one"),
            }
        }
    }
}

async fn find_all(pool: &PostgresPool, ids: Vec<SessionId>) -> Result<Found> {
    let ids: Vec<_> = ids.into_iter().map(|id| id.0).collect();
    let mut pooled = pool.acquire().await?;
    let rows = answered(sqlx::query_as(FIND_ALL).bind(ids).fetch_all(pooled.connection()?)).await;
    let rows: Vec<FoundRow> = pooled.settle(rows)?;
    Ok(rows.into_iter().map(|row| (row.id, Arc::new(row.session))).collect())
}
