//! On PostgreSQL, refreshes at the same time share a statement, and with it a round trip and a commit.
//!
//! A statement is under way, and whoever comes meanwhile goes with the next one. Each refresh in it is written or not for
//! itself: one whose session has changed is left out, as is one whose session somebody else has locked, so that nobody
//! waits for what is not theirs. Nothing is written that [`SessionView`](super::SessionView) shows.

use super::kept::Lease;
use super::{Db, Result, SessionRow, Store, StoreError};
use sqlx::PgPool;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};

/// Statements at the same time: while one waits for the disk, the server works at the other.
const MAX_UNDER_WAY: usize = 2;
/// Refreshes in one statement; the next one takes the rest.
const MAX_TOGETHER: usize = 128;

/// Each session is changed only if everything that its refresh was decided on is still so. Its row is locked first, as an
/// `UPDATE` by itself would wait for whoever has it; of two refreshes of one session, one is written. `LATERAL` has each
/// session looked up by its id, also while the planner believes that there are next to none.
const ADVANCE: &str = "WITH asked AS (SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::timestamptz[], \
     $5::text[], $6::text[], $7::bigint[], $8::timestamptz[], $9::boolean[], $10::bigint[], $11::timestamptz[], \
     $12::timestamptz[], $13::timestamptz[]) WITH ORDINALITY AS asked (id, version, old_generation, old_issued_at, roles, \
     role, generation, issued_at, used, parent_generation, parent_issued_at, replaced_at, last_used_at, place)), \
     held AS MATERIALIZED (SELECT asked.place FROM asked CROSS JOIN LATERAL (SELECT 1 FROM sessions s \
     WHERE s.id = asked.id AND s.version = asked.version AND s.ended_at IS NULL \
     AND s.generation = asked.old_generation AND s.issued_at = asked.old_issued_at \
     AND EXISTS (SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id \
     WHERE u.id = s.user_id AND u.disabled_at IS NULL AND u.roles = asked.roles \
     AND m.organization_id = s.organization_id AND m.role = asked.role) \
     FOR NO KEY UPDATE OF s SKIP LOCKED) locked) \
     UPDATE sessions SET generation = asked.generation, issued_at = asked.issued_at, used = asked.used, \
     parent_generation = asked.parent_generation, parent_issued_at = asked.parent_issued_at, \
     replaced_at = asked.replaced_at, last_used_at = asked.last_used_at, version = sessions.version + 1 \
     FROM asked JOIN held ON held.place = asked.place WHERE sessions.id = asked.id RETURNING asked.place";

/// Those who wait for a statement.
pub(super) struct SessionAdvances {
    waiting: Mutex<Vec<Advance>>,
    /// One for each statement under way.
    turns: Semaphore,
}

impl Default for SessionAdvances {
    fn default() -> Self {
        Self { waiting: Mutex::default(), turns: Semaphore::new(MAX_UNDER_WAY) }
    }
}

struct Advance {
    from: SessionRow,
    to: SessionRow,
    /// Dropped where the statement failed.
    answer: oneshot::Sender<Result<bool>>,
}

impl Store {
    /// Writes the token fields of `to`, if everything that it was decided on is as in `from`: the session's tokens,
    /// version and end, its user's roles and role in the organization, and that the user is not disabled. Whatever changes
    /// the session's organization raises its version.
    ///
    /// `false`: it was not written, or nobody knows; read, and decide again. Always so on SQLite, where nothing is
    /// remembered that could be decided on.
    pub async fn session_advance_remembered(&self, from: SessionRow, to: SessionRow) -> Result<bool> {
        let Db::Postgres(pool) = &self.db else { return Ok(false) };
        let (answer, answered) = oneshot::channel();
        if self.shared.advances.join(Advance { from, to, answer }) {
            // Apart from the request that comes first, as others wait for it too.
            tokio::spawn(self.clone().advance_sessions(pool.clone()));
        }
        answered.await.unwrap_or(Ok(false))
    }

    async fn advance_sessions(self, pool: PgPool) {
        while let Some((_turn, group)) = self.shared.advances.next_group() {
            self.advance_group(&pool, group).await;
        }
    }

    async fn advance_group(&self, pool: &PgPool, group: Vec<Advance>) {
        let Ok(mut lease) = self.shared.kept.lease(pool).await else {
            for advance in group {
                // Whoever is gone has no use for it.
                let _ = advance.answer.send(Err(StoreError::Database(sqlx::Error::PoolTimedOut)));
            }
            return;
        };
        self.shared.statements.fetch_add(1, Ordering::Relaxed);
        match advance_all(&mut lease, &group).await {
            Ok(written) => {
                drop(lease);
                for (place, advance) in (1..).zip(group) {
                    let _ = advance.answer.send(Ok(written.contains(&place)));
                }
            }
            Err(error) => tracing::warn!(%error, refreshes = group.len(), "refreshes go on one by one"),
        }
    }
}

/// The places of those that were written, counted from 1.
async fn advance_all(lease: &mut Lease, group: &[Advance]) -> sqlx::Result<Vec<i64>> {
    fn all<T>(group: &[Advance], field: impl Fn(&Advance) -> T) -> Vec<T> {
        group.iter().map(field).collect()
    }
    let written = sqlx::query_scalar(ADVANCE)
        .bind(all(group, |advance| advance.from.id.0))
        .bind(all(group, |advance| advance.from.version))
        .bind(all(group, |advance| advance.from.generation))
        .bind(all(group, |advance| advance.from.issued_at))
        .bind(all(group, |advance| advance.from.roles.to_text()))
        .bind(all(group, |advance| advance.from.organization_role.as_str()))
        .bind(all(group, |advance| advance.to.generation))
        .bind(all(group, |advance| advance.to.issued_at))
        .bind(all(group, |advance| advance.to.used))
        .bind(all(group, |advance| advance.to.parent_generation))
        .bind(all(group, |advance| advance.to.parent_issued_at))
        .bind(all(group, |advance| advance.to.replaced_at))
        .bind(all(group, |advance| advance.to.last_used_at))
        .fetch_all(lease.ask()?)
        .await?;
    lease.answered();
    Ok(written)
}

impl SessionAdvances {
    /// Takes one more; whether a statement can begin.
    fn join(&self, advance: Advance) -> bool {
        self.waiting().push(advance);
        // If none can, then one ends after this, and looks for those who wait.
        self.turns.available_permits() > 0
    }

    /// Those who wait, if there are any and a statement can begin.
    fn next_group(&self) -> Option<(SemaphorePermit<'_>, Vec<Advance>)> {
        let mut waiting = self.waiting();
        if waiting.is_empty() {
            return None;
        }
        let turn = self.turns.try_acquire().ok()?;
        let together = waiting.len().min(MAX_TOGETHER);
        let rest = waiting.split_off(together);
        Some((turn, std::mem::replace(&mut waiting, rest)))
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Advance>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
