//! Sessions as their last refresh in this process left them.
//!
//! A refresh reads a session, decides, and writes what it decided. On PostgreSQL the read is a round trip of its own, and
//! mostly gives what this process wrote at the session's last refresh. So it decides on what is remembered, and the
//! statement that writes proves that it still was so; if not, nothing was written, and the refresh begins with the read.
//! What is remembered therefore never has to be fresh, and nobody has to say what changed. SQLite's read costs a few
//! microseconds, and nothing is remembered there.

use super::sessions::advance_session;
use super::{Db, Result, SessionRow, Store, Tx};
use crate::domain::ids::SessionId;
use crate::recent::Recent;

/// Some 12 MB when full.
const KEPT: usize = 32 * 1024;

/// The rows of one process.
pub(super) struct RefreshedSessions(Recent<SessionId, SessionRow>);

impl Default for RefreshedSessions {
    fn default() -> Self {
        Self(Recent::new(KEPT))
    }
}

impl Store {
    /// The session as its last refresh in this process left it, where that saves a round trip. Perhaps it has changed
    /// since: only [`Tx::session_advance_remembered`] may act on it.
    pub fn session_remembered(&self, id: SessionId) -> Option<SessionRow> {
        self.shared.refreshed.0.get(&id, |row| Some(row.clone()))
    }

    /// Remembers what [`Tx::session_advance`] or [`Tx::session_advance_remembered`] has committed.
    pub fn session_remember(&self, mut advanced: SessionRow) {
        if matches!(self.db, Db::Postgres(_)) {
            advanced.version += 1;
            self.shared.refreshed.0.insert(advanced.id, advanced);
        }
    }
}

impl Tx {
    /// As [`Tx::session_advance`], if in addition everything else that `next` was decided on is as remembered: the
    /// session's tokens, its user's roles and role in the organization, and that the user is not disabled. Whatever
    /// changes the session's organization raises its version.
    pub async fn session_advance_remembered(&mut self, remembered: &SessionRow, next: &SessionRow) -> Result<bool> {
        let advanced = changed!(self, |c| {
            sqlx::query(advance_session!(
                " AND generation = $10 AND issued_at = $11 \
                 AND EXISTS (SELECT 1 FROM users u JOIN memberships m ON m.user_id = u.id \
                 WHERE u.id = sessions.user_id AND u.disabled_at IS NULL AND u.roles = $12 \
                 AND m.organization_id = sessions.organization_id AND m.role = $13)"
            ))
            .bind(next.id)
            .bind(remembered.version)
            .bind(next.generation)
            .bind(next.issued_at)
            .bind(next.used)
            .bind(next.parent_generation)
            .bind(next.parent_issued_at)
            .bind(next.replaced_at)
            .bind(next.last_used_at)
            .bind(remembered.generation)
            .bind(remembered.issued_at)
            .bind(remembered.roles)
            .bind(remembered.organization_role)
        })?;
        Ok(advanced > 0)
    }
}
