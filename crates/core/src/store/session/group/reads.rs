//! Grouped reads: after a start or a while of silence many requests read sessions at once.

use crate::model::ids::SessionId;
use crate::model::time::Time;
use crate::store::postgres::{PostgresPool, answered};
use crate::store::session::group::queue::{FoundSession, SessionRead};
use crate::store::session::read::session;
use crate::store::session::row::SessionRow;
use crate::store::{Result, Store, StoreError};
use std::collections::HashMap;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;

/// `LATERAL` with a `LIMIT` makes the planner look up each session by its id even when its statistics say that the
/// table is nearly empty. The start of the server: the connections of a process may lead to two servers for a while, and
/// the change feed is that of one.
const FIND_ALL: &str = concat!(
    "SELECT found.*, pg_postmaster_start_time() AS started_at FROM unnest($1::uuid[]) AS asked (id) \
     CROSS JOIN LATERAL (",
    session!("asked.id"),
    " LIMIT 1) AS found"
);

struct FoundRow {
    started_at: Time,
    session: SessionRow,
}

impl sqlx::FromRow<'_, sqlx::postgres::PgRow> for FoundRow {
    fn from_row(row: &sqlx::postgres::PgRow) -> sqlx::Result<Self> {
        use sqlx::Row as _;
        Ok(Self { started_at: row.try_get("started_at")?, session: SessionRow::from_row(row)? })
    }
}

impl Store {
    /// Reads sessions together with others that are read at the same time; in the order of their ids.
    pub(in crate::store::session) async fn read_together(
        &self,
        pool: &PostgresPool,
        ids: &[SessionId],
    ) -> Result<Vec<FoundSession>> {
        let (reads, answers): (Vec<_>, Vec<_>) = ids.iter().map(|id| read(*id)).unzip();
        if self.shared.sessions.reads.push_all(reads) {
            // In a task of its own rather than in the first request, as others wait for it too.
            tokio::spawn(self.clone().read_sessions(pool.clone()));
        }
        let mut all = Vec::with_capacity(ids.len());
        for answered in answers {
            match answered.await {
                Ok(Some(found)) => all.push(found),
                Ok(None) => return Err(StoreError::Database(sqlx::Error::PoolTimedOut)),
                Err(_) => {
                    let rows = find_all(pool, ids.to_vec()).await?;
                    return Ok(ids.iter().map(|id| found(&rows, *id)).collect());
                }
            }
        }
        Ok(all)
    }

    async fn read_sessions(self, pool: PostgresPool) {
        while let Some((_permit, group)) = self.shared.sessions.reads.next_group() {
            self.shared.statements.fetch_add(1, Ordering::Relaxed);
            match find_all(&pool, group.iter().map(|read| read.id).collect()).await {
                Ok(rows) => {
                    for read in group {
                        // The receiver is gone if its request was aborted.
                        let _ = read.answer.send(Some(found(&rows, read.id)));
                    }
                }
                Err(error) => {
                    // Each has waited for the server long enough.
                    if error.is_unanswered() || matches!(error, StoreError::Away(_)) {
                        for read in group {
                            let _ = read.answer.send(None);
                        }
                    }
                    error.log("sessions are read request by request, unless the server does not answer");
                }
            }
        }
    }
}

fn read(id: SessionId) -> (SessionRead, oneshot::Receiver<Option<FoundSession>>) {
    let (answer, answered) = oneshot::channel();
    (SessionRead { id, answer }, answered)
}

async fn find_all(pool: &PostgresPool, ids: Vec<SessionId>) -> Result<HashMap<SessionId, FoundRow>> {
    let ids: Vec<_> = ids.into_iter().map(|id| id.0).collect();
    let mut pooled = pool.acquire().await?;
    let rows = answered(sqlx::query_as(FIND_ALL).bind(ids).fetch_all(pooled.connection()?)).await;
    let rows: Vec<FoundRow> = pooled.settle(rows)?;
    Ok(rows.into_iter().map(|row| (row.session.id, row)).collect())
}

fn found(rows: &HashMap<SessionId, FoundRow>, id: SessionId) -> FoundSession {
    rows.get(&id).map_or((None, None), |row| (Some(row.started_at), Some(row.session.clone())))
}
