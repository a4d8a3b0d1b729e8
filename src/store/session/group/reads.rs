//! Grouped reads: the gate reads each session again every half second, so a page's requests often read at once.

use super::super::door::SessionStore;
use super::super::row::{SessionRow, find};
use crate::model::ids::SessionId;
use crate::store::handle::Db;
use crate::store::postgres::{PostgresPool, answered};
use crate::store::{Result, Store};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;

/// [`FIND`](super::super::row::FIND) for several sessions. `LATERAL` with a `LIMIT` makes the planner look up each
/// session by its id even when its statistics say that the table is nearly empty.
const FIND_ALL: &str = concat!(
    "SELECT found.* FROM unnest($1::uuid[]) AS asked (id) CROSS JOIN LATERAL (",
    find!("asked.id"),
    " LIMIT 1) AS found"
);

/// A session to read.
pub(in crate::store::session) struct Read {
    id: SessionId,
    /// Dropped if the statement failed.
    answer: oneshot::Sender<Option<Arc<SessionRow>>>,
}

impl SessionStore<'_> {
    /// As [`Self::for_refresh`], together with others that are read at the same time.
    pub(in crate::store::session) async fn read_together(&self, id: SessionId) -> Result<Option<Arc<SessionRow>>> {
        let Db::Postgres(pool) = &self.store.db else { return self.read_alone(id).await };
        let (answer, answered) = oneshot::channel();
        if self.store.shared.sessions.reads.push(Read { id, answer }) {
            // In a task of its own rather than in the first request, as others wait for it too.
            tokio::spawn(self.store.clone().read_sessions(pool.clone()));
        }
        match answered.await {
            Ok(row) => Ok(row),
            Err(_) => self.read_alone(id).await,
        }
    }

    async fn read_alone(&self, id: SessionId) -> Result<Option<Arc<SessionRow>>> {
        Ok(self.for_refresh(id).await?.map(Arc::new))
    }
}

impl Store {
    async fn read_sessions(self, pool: PostgresPool) {
        while let Some((_permit, group)) = self.shared.sessions.reads.next_group() {
            self.shared.statements.fetch_add(1, Ordering::Relaxed);
            match read_all(&pool, &group).await {
                Ok(rows) => {
                    for read in group {
                        // The receiver is gone if its request was aborted.
                        let _ = read.answer.send(rows.get(&read.id).cloned());
                    }
                }
                Err(error) => error.log("sessions are read one by one"),
            }
        }
    }
}

async fn read_all(pool: &PostgresPool, group: &[Read]) -> Result<HashMap<SessionId, Arc<SessionRow>>> {
    let ids: Vec<_> = group.iter().map(|read| read.id.0).collect();
    let mut pooled = pool.acquire().await?;
    let rows = answered(sqlx::query_as(FIND_ALL).bind(ids).fetch_all(pooled.connection()?)).await;
    let rows: Vec<SessionRow> = pooled.settle(rows)?;
    Ok(rows.into_iter().map(|row| (row.id, Arc::new(row))).collect())
}
