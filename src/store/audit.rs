//! The audit log.

use super::{Conn, Result, Tx};
use crate::model::audit::{AuditEntry, AuditKind};
use crate::model::ids::{AuditId, SessionId, UserId};
use crate::model::time::Time;
use crate::random;

/// A stored entry.
#[derive(Clone, Debug)]
pub struct AuditRow {
    /// The entry's id.
    pub id: AuditId,
    /// When it happened; of several tries, the last one.
    pub at: Time,
    /// Whose account; `None` for tries at accounts that do not exist.
    pub user_id: Option<UserId>,
    /// What happened: the name of an [`AuditKind`], possibly one of a newer version.
    pub kind: String,
    /// Who did it: `user`, `operator`, `unknown`, or `key:` and the name of an API key.
    pub actor: String,
    /// The account of the actor, if there is one.
    pub actor_user_id: Option<UserId>,
    /// The session in which it was done, or which it is about.
    pub session_id: Option<SessionId>,
    /// The client's address, if there was one.
    pub address: String,
    /// The browser's description of itself, if there was one.
    pub user_agent: String,
    /// What the kind alone does not say, such as a new username.
    pub detail: String,
    /// How often it happened.
    pub times: i64,
}

row!(AuditRow { id, at, user_id, kind, actor, actor_user_id, session_id, address, user_agent, detail, times });

impl AuditRow {
    /// What happened; `None` if only a newer version knows it.
    pub fn kind(&self) -> Option<AuditKind> {
        AuditKind::parse(&self.kind)
    }
}

macro_rules! insert_audit {
    ($rest:literal) => {
        concat!(
            "INSERT INTO audit (id, at, user_id, kind, actor, actor_user_id, session_id, address, user_agent, detail, \
             times) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
            $rest
        )
    };
}

macro_rules! select_audit {
    ($rest:literal) => {
        concat!(
            "SELECT id, at, user_id, kind, actor, actor_user_id, session_id, address, user_agent, detail, times \
             FROM audit ",
            $rest
        )
    };
}

const LOGINS: &str = "SELECT at, address FROM audit WHERE user_id = $1 AND at >= $2 AND at <= $3 AND kind = $4 \
    AND detail IN ($5, $6) ORDER BY at, id LIMIT $7";

impl Conn {
    /// At most `limit` entries about a user from before `before`, the latest first.
    pub async fn audit_list_of_user(
        &mut self,
        user: UserId,
        before: (Time, AuditId),
        limit: i64,
    ) -> Result<Vec<AuditRow>> {
        with_engine!(self, |c| {
            sqlx::query_as(select_audit!(
                "WHERE user_id = $1 AND (at, id) < ($2, $3) ORDER BY at DESC, id DESC LIMIT $4"
            ))
            .bind(user)
            .bind(before.0)
            .bind(before.1)
            .bind(limit)
            .fetch_all(c)
        })
    }
}

impl Conn {
    /// When and from which addresses a user logged in from `from` to `until`, with one of these details, the oldest
    /// first; at most `limit`.
    pub async fn audit_logins(
        &mut self,
        user: UserId,
        (from, until): (Time, Time),
        details: [&str; 2],
        limit: i64,
    ) -> Result<Vec<(Time, String)>> {
        with_engine!(self, |c| {
            sqlx::query_as(LOGINS)
                .bind(user)
                .bind(from)
                .bind(until)
                .bind(AuditKind::LoggedIn.as_str())
                .bind(details[0])
                .bind(details[1])
                .bind(limit)
                .fetch_all(c)
        })
    }
}

impl Tx {
    /// Records what this transaction does.
    pub async fn audit_push(&mut self, entry: &AuditEntry<'_>) -> Result<()> {
        let now = self.now();
        let id = AuditId(random::uuid_v7_with_counter(now, self.next_event())?);
        self.audit_insert(insert_audit!(""), id, now, entry, 1).await
    }

    /// Records that something happened `times` times, the last time at `at`; adds to the row with this id, if any.
    pub async fn audit_add(&mut self, id: AuditId, at: Time, entry: &AuditEntry<'_>, times: i64) -> Result<()> {
        let add = insert_audit!(
            " ON CONFLICT (id) DO UPDATE SET at = excluded.at, address = excluded.address, \
             user_agent = excluded.user_agent, times = audit.times + excluded.times"
        );
        self.audit_insert(add, id, at, entry, times).await
    }

    async fn audit_insert(
        &mut self,
        sql: &'static str,
        id: AuditId,
        at: Time,
        entry: &AuditEntry<'_>,
        times: i64,
    ) -> Result<()> {
        execute!(self, |c| {
            sqlx::query(sql)
                .bind(id)
                .bind(at)
                .bind(entry.user)
                .bind(entry.kind.as_str())
                .bind(entry.actor.actor_name())
                .bind(entry.actor.user_id())
                .bind(entry.actor.session())
                .bind(entry.actor.address())
                .bind(entry.actor.user_agent())
                .bind(entry.detail)
                .bind(times)
        })?;
        self.audited.push((entry.kind, times));
        Ok(())
    }

    /// Removes at most `limit` entries from before `before`; returns how many.
    pub async fn audit_delete_old(&mut self, before: Time, limit: i64) -> Result<u64> {
        execute!(self, |c| {
            sqlx::query("DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < $1 ORDER BY at, id LIMIT $2)")
                .bind(before)
                .bind(limit)
        })
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
