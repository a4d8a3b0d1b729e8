//! Group commit of refreshes. Each refresh of a group is written or not by itself: one whose session has changed is
//! left out, as is one whose session another transaction has locked, so that the group never waits for a lock. It
//! writes nothing that [`SessionView`](crate::model::session_view::SessionView) shows.

use crate::model::organization::MemberRole;
use crate::store::db::Db;
use crate::store::postgres::{PooledConnection, PostgresPool, answered};
use crate::store::session::group::queue::Advance;
use crate::store::session::row::SessionRow;
use crate::store::session::session_store::SessionStore;
use crate::store::{Result, Store, StoreError};
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;

/// Each session is changed only if everything that its refresh was decided on is unchanged. Its row is locked first,
/// with `SKIP LOCKED`, as an `UPDATE` by itself would wait for the holder of the lock; of two refreshes of one session,
/// one is written. `LATERAL` makes the planner look up each session by its id even when its statistics say that the
/// table is nearly empty.
const ADVANCE: &str = "WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::timestamptz[], \
     $5::text[], $6::text[], $7::bigint[], $8::timestamptz[], $9::boolean[], $10::bigint[], $11::timestamptz[], \
     $12::timestamptz[], $13::timestamptz[], $14::uuid[], $15::timestamptz[]) WITH ORDINALITY AS asked (id, version, old_generation, old_issued_at, \
     roles, role, generation, issued_at, used, parent_generation, parent_issued_at, replaced_at, last_used_at, \
     organization_id, expires_at, place)), \
     held AS MATERIALIZED (SELECT asked.place FROM asked CROSS JOIN LATERAL (SELECT 1 FROM sessions s \
     WHERE s.id = asked.id AND s.version = asked.version AND s.ended_at IS NULL \
     AND s.generation = asked.old_generation AND s.issued_at = asked.old_issued_at \
     AND s.organization_id = asked.organization_id AND s.expires_at = asked.expires_at \
     AND EXISTS (SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id \
     WHERE u.id = s.user_id AND u.disabled_at IS NULL AND u.roles = asked.roles \
     AND m.organization_id = s.organization_id AND m.role = asked.role) \
     FOR NO KEY UPDATE OF s SKIP LOCKED) locked) \
     UPDATE sessions SET generation = asked.generation, issued_at = asked.issued_at, used = asked.used, \
     parent_generation = asked.parent_generation, parent_issued_at = asked.parent_issued_at, \
     replaced_at = asked.replaced_at, last_used_at = asked.last_used_at, version = sessions.version + 1 \
     FROM asked JOIN held ON held.place = asked.place WHERE sessions.id = asked.id RETURNING asked.place";

impl SessionStore<'_> {
    /// Writes the token fields of `to`, if everything that it was decided on is as in `from`: the session's tokens,
    /// version, end and organization, its user's roles and role in that, and that the user is not disabled. Not the
    /// version alone: `from` is as old as memory, and a version may be newer than what stands beside it.
    ///
    /// `false`: it was not written, or the outcome is unknown; read, and decide again. Always `false` on SQLite, where
    /// nothing is remembered.
    pub async fn advance_remembered(&self, from: SessionRow, to: SessionRow) -> Result<bool> {
        let Db::Postgres(pool) = &self.store.db else { return Ok(false) };
        let cache = &self.store.shared.sessions.cache;
        let at = cache.now();
        let (answer, answered) = oneshot::channel();
        if self.store.shared.sessions.advances.push(Advance { from, to: to.clone(), answer }) {
            // In a task of its own rather than in the first request, as others wait for it too.
            tokio::spawn(self.store.clone().advance_sessions(pool.clone()));
        }
        let advanced = answered.await.unwrap_or(Ok(false))?;
        if advanced {
            cache.replace_tokens(to, at);
        }
        Ok(advanced)
    }
}

impl Store {
    async fn advance_sessions(self, pool: PostgresPool) {
        while let Some((_permit, group)) = self.shared.sessions.advances.next_group() {
            self.advance_group(&pool, group).await;
        }
    }

    async fn advance_group(&self, pool: &PostgresPool, group: Vec<Advance>) {
        let Ok(mut pooled) = pool.acquire().await else {
            for advance in group {
                // The receiver is gone if its request was aborted.
                let _ = advance.answer.send(Err(StoreError::Database(sqlx::Error::PoolTimedOut)));
            }
            return;
        };
        self.shared.statements.fetch_add(1, Ordering::Relaxed);
        match advance_all(&mut pooled, &group).await {
            Ok(written) => {
                drop(pooled);
                for (place, advance) in (1..).zip(group) {
                    let _ = advance.answer.send(Ok(written.contains(&place)));
                }
            }
            Err(error) => error.log("refreshes go on one by one"),
        }
    }
}

/// The positions of the refreshes that were written, counted from 1.
async fn advance_all(pooled: &mut PooledConnection, group: &[Advance]) -> Result<Vec<i64>> {
    fn all<T>(group: &[Advance], field: impl Fn(&Advance) -> T) -> Vec<T> {
        group.iter().map(field).collect()
    }
    let statement = sqlx::query_scalar(ADVANCE)
        .bind(all(group, |advance| advance.from.id.0))
        .bind(all(group, |advance| advance.from.version))
        .bind(all(group, |advance| advance.from.tokens.generation))
        .bind(all(group, |advance| advance.from.tokens.issued_at))
        .bind(all(group, |advance| advance.from.roles.to_text()))
        .bind(all(group, |advance| advance.from.organization_role.map(MemberRole::as_str)))
        .bind(all(group, |advance| advance.to.tokens.generation))
        .bind(all(group, |advance| advance.to.tokens.issued_at))
        .bind(all(group, |advance| advance.to.tokens.used))
        .bind(all(group, |advance| advance.to.tokens.parent_generation))
        .bind(all(group, |advance| advance.to.tokens.parent_issued_at))
        .bind(all(group, |advance| advance.to.tokens.replaced_at))
        .bind(all(group, |advance| advance.to.last_used_at))
        .bind(all(group, |advance| advance.from.organization_id.0))
        .bind(all(group, |advance| advance.from.expires_at))
        .fetch_all(pooled.connection()?);
    let written = answered(statement).await;
    pooled.settle(written)
}
